package io.tidemark.ctl.bench;

/** Carries out {@link Load.Backup}. Thread: the one that runs the load. */
final class BackupLoad {
  static final String TAKEN = "backups";
  static final String BYTES_PER_SECOND = "backup_bytes_per_second";

  private final Target target;
  private final KeySpace keys;
  private final Phases phases;
  private final Window window;

  BackupLoad(Target target, KeySpace keys, Phases phases, Window window) {
    this.target = target;
    this.keys = keys;
    this.phases = phases;
    this.window = window;
  }

  /**
   * An operation is a put during backups, which go on for the warm-up before they are measured;
   * before, the same puts are measured without.
   */
  LoadReport run(Load.Backup load) throws InterruptedException {
    try (Connections connections = new Connections(target)) {
      PutsBeside puts = PutsBeside.begun(connections, keys, load.rate(), phases, window);
      BackupStream backups = new BackupStream(connections, puts.tally());
      long begun = System.nanoTime();
      backups.start();
      Measurement during = puts.during(phases.warmup(), phases.measured());
      during.run();
      double bytesPerSecond = backups.bytes() / ((System.nanoTime() - begun) / 1e9);
      LoadReport report = puts.report(load.name(), during);
      backups.stop();
      puts.stop();
      return report
          .withNote(TAKEN, backups.taken())
          .withNote(BYTES_PER_SECOND, JsonText.rounded(bytesPerSecond, 0));
    }
  }
}
