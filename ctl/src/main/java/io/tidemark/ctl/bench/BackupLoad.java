package io.tidemark.ctl.bench;

import java.time.Duration;
import java.util.List;

/** Carries out {@link Load.Backup}. Thread: the one that runs the load. */
final class BackupLoad {
  static final String TAKEN = "backups";
  static final String BYTES_PER_SECOND = "backup_bytes_per_second";

  private static final int WRITERS = 256;

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

  /** An operation is a put during backups; before, the same puts are measured without. */
  LoadReport run(Load.Backup load) throws InterruptedException {
    try (Connections connections = new Connections(target)) {
      Tally puts = new Tally();
      PacedPuts paced = new PacedPuts(connections, keys, WRITERS, load.rate(), puts);
      paced.start();
      new Measurement(phases, Window.ignored(), List.of(puts)).run();
      Latency before = puts.latency();
      BackupStream backups = new BackupStream(connections, puts);
      backups.start();
      Measurement during =
          new Measurement(
              new Phases(Duration.ZERO, phases.measured(), phases.grace()), window, List.of(puts));
      during.run();
      LoadReport report = LoadReport.of(load.name(), during, puts);
      double bytesPerSecond = backups.bytes() / during.seconds();
      backups.stop();
      paced.stop(phases.grace().toNanos());
      return report
          .withNote(TAKEN, backups.taken())
          .withNote(BYTES_PER_SECOND, JsonText.rounded(bytesPerSecond, 0))
          .withNote(LeaseLoads.PUTS_BEFORE, before.toJson())
          .withNote(
              LoadReport.P99_RATIO, JsonText.rounded(report.latency().p99() / before.p99(), 2));
    }
  }
}
