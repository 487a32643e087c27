package io.tidemark.server.maintenance;

/**
 * How much of a core a backup takes: while clients write, it rests twice as long as it has worked,
 * some milliseconds at a time; else it works on. One thread.
 */
final class BackupPace {
  private static final long WORK_NANOS = 4_000_000;
  private static final long REST_NANOS_MAX = 50_000_000;
  private static final int REST_SHARE = 2;

  private long beganNanos;
  private long revision;

  /** A pace that begins to work now, at the newest revision. */
  BackupPace(long nanos, long revision) {
    this.beganNanos = nanos;
    this.revision = revision;
  }

  /** How long to rest before working on, in nanoseconds; mostly 0. */
  long restAt(long nanos, long newestRevision) {
    long worked = nanos - beganNanos;
    if (worked < WORK_NANOS) {
      return 0;
    }
    long rest = newestRevision == revision ? 0 : Math.min(REST_SHARE * worked, REST_NANOS_MAX);
    revision = newestRevision;
    beganNanos = nanos + rest;
    return rest;
  }
}
