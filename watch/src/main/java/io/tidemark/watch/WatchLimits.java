package io.tidemark.watch;

import java.time.Duration;

/**
 * Bounds of the watch machinery.
 *
 * @param ringBytesMax bytes of recent revisions kept in memory; the oldest go first
 * @param ringRevisionsMax number of recent revisions kept in memory
 * @param streamQueueBytesMax bytes queued for one stream; beyond it its watchers wait at their
 *     cursor
 * @param serverQueueBytesMax bytes queued for all streams; beyond it only a stream with an empty
 *     queue takes more, one list at a time
 * @param listBytesMax bytes of one catch-up list; a single revision may be larger
 * @param listRevisionsMax distinct revisions in one catch-up list
 * @param fragmentBytes size above which a list is split for a watcher that asked for fragments
 * @param progressInterval time between progress notifications of an idle watcher
 */
public record WatchLimits(
    long ringBytesMax,
    int ringRevisionsMax,
    long streamQueueBytesMax,
    long serverQueueBytesMax,
    long listBytesMax,
    int listRevisionsMax,
    long fragmentBytes,
    Duration progressInterval) {

  private static final long MIB = 1L << 20;

  /** Checks that every bound is usable. */
  public WatchLimits {
    requirePositive(ringBytesMax, "ringBytesMax");
    requirePositive(ringRevisionsMax, "ringRevisionsMax");
    requirePositive(streamQueueBytesMax, "streamQueueBytesMax");
    requirePositive(serverQueueBytesMax, "serverQueueBytesMax");
    requirePositive(listBytesMax, "listBytesMax");
    requirePositive(listRevisionsMax, "listRevisionsMax");
    requirePositive(fragmentBytes, "fragmentBytes");
    requirePositive(progressInterval.toNanos(), "progressInterval");
  }

  /** The bounds of a member that was told nothing else. */
  public static WatchLimits defaults() {
    return new WatchLimits(
        64 * MIB, 1 << 17, 8 * MIB, 256 * MIB, MIB, 1000, 2 * MIB, Duration.ofMinutes(10));
  }

  /** The same bounds with another interval between progress notifications. */
  public WatchLimits withProgressInterval(Duration interval) {
    return new WatchLimits(
        ringBytesMax,
        ringRevisionsMax,
        streamQueueBytesMax,
        serverQueueBytesMax,
        listBytesMax,
        listRevisionsMax,
        fragmentBytes,
        interval);
  }

  /** The same bounds with another size above which lists are split. */
  public WatchLimits withFragmentBytes(long bytes) {
    return new WatchLimits(
        ringBytesMax,
        ringRevisionsMax,
        streamQueueBytesMax,
        serverQueueBytesMax,
        listBytesMax,
        listRevisionsMax,
        bytes,
        progressInterval);
  }

  private static void requirePositive(long value, String name) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " must be positive: " + value);
    }
  }
}
