package io.tidemark.ctl.bench;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Carries out the loads that need leases. Thread: the one that runs the load. */
final class LeaseLoads {
  static final String ALIVE_AFTERWARDS = "leases_alive_afterwards";
  static final String LATE = "last_ended_seconds_late";

  private static final long LATE_NANOS_MAX = TimeUnit.MINUTES.toNanos(1);
  private static final Duration DRAIN_MAX = Duration.ofMinutes(5);

  private final Target target;
  private final KeySpace keys;
  private final Phases phases;
  private final Window window;

  LeaseLoads(Target target, KeySpace keys, Phases phases, Window window) {
    this.target = target;
    this.keys = keys;
    this.phases = phases;
    this.window = window;
  }

  private KeySpace leaseKeys(int leases) {
    return new KeySpace(keys.prefix() + "lease/", leases, keys.valueBytes(), 1);
  }

  /** Renewals; an operation is one that was answered in time. */
  LoadReport keepAlive(Load.LeaseKeepAlive load) throws InterruptedException {
    try (Connections connections = new Connections(target)) {
      Tally tally = new Tally();
      LeaseSet leases = new LeaseSet(connections, leaseKeys(load.leases()));
      leases.grant(load::ttlSeconds);
      KeepAliveStreams streams =
          new KeepAliveStreams(connections, leases, load.streams(), load.interval(), tally);
      Measurement measurement = new Measurement(phases, window, List.of(tally));
      // The first of many leases may have half its time behind it by now.
      streams.start();
      leases.attach();
      measurement.run();
      LoadReport report = LoadReport.of(load.name(), measurement, tally);
      streams.stop();
      report = report.withNote(ALIVE_AFTERWARDS, leases.alive());
      leases.revoke();
      return report;
    }
  }

  /**
   * Leases that all end within a second; an operation is one that ended, measured from the first to
   * the last of them. The latency is that of puts meanwhile; before, the same puts are measured
   * without.
   */
  LoadReport expire(Load.LeaseExpire load) throws InterruptedException {
    try (Connections connections = new Connections(target)) {
      KeySpace leaseKeys = leaseKeys(load.leases());
      Tally watched = new Tally();
      DeletionWatch deletions = new DeletionWatch(load.leases(), watched);
      deletions.open(connections, leaseKeys);
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(load.ttlSeconds());
      // Time to live is told in whole seconds: the earlier granted, the more of them.
      LeaseSet leases = new LeaseSet(connections, leaseKeys);
      leases.grant(() -> Math.max(1, Math.round((end - System.nanoTime()) / 1e9)));
      leases.attach();
      PutsBeside puts = PutsBeside.begun(connections, keys, load.rate(), phases, window);
      if (deletions.hasBegun()) {
        throw new LoadFailure("leases ended too early; --ttl must be longer");
      }
      if (!deletions.awaitFirst(end - System.nanoTime() + LATE_NANOS_MAX)) {
        throw new LoadFailure("no lease has ended: " + watched.errors());
      }
      Measurement drain = puts.during(Duration.ZERO, DRAIN_MAX);
      deletions.whenComplete(drain::abort);
      drain.run();
      LoadReport report = puts.report(load.name(), drain);
      puts.stop();
      return report
          .withOperations(deletions.seen())
          .withErrors(watched.errors())
          .withNote(LATE, JsonText.rounded((deletions.lastNanos() - end) / 1e9, 1));
    }
  }
}
