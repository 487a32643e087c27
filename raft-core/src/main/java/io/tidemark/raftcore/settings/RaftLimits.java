package io.tidemark.raftcore.settings;

/**
 * Sizes of the log and of the write path. All are bytes unless the name says otherwise.
 *
 * @param segmentBytes size at which a log segment is closed
 * @param preallocatedBytes bytes written ahead in a log segment
 * @param purgeGap purging waits until it can drop this many entries; an entry may be as large as
 *     the largest request, so more than 1 leaves the log's size open
 * @param snapshotBytes log appended between two checkpoints; the log holds two such intervals, what
 *     is appended while a checkpoint is made, and a segment
 * @param snapshotEntries entries between two checkpoints; 0 = only bytes count
 * @param batchBytes upper bound of an entry that carries more than one command
 * @param maxBatchesInFlight upper bound of entries submitted and not yet applied here
 * @param inFlightBytes upper bound of the bytes of those entries
 * @param queueBytes upper bound of commands waiting to be submitted
 */
public record RaftLimits(
    long segmentBytes,
    long preallocatedBytes,
    int purgeGap,
    long snapshotBytes,
    long snapshotEntries,
    int batchBytes,
    int maxBatchesInFlight,
    long inFlightBytes,
    long queueBytes) {
  private static final long MIB = 1 << 20;

  /** The values for a member that accepts requests of up to {@code maxRequestBytes}. */
  public static RaftLimits defaults(int maxRequestBytes) {
    return new RaftLimits(
        16 * MIB,
        MIB,
        1,
        192 * MIB,
        0,
        (int) MIB,
        8,
        Math.max(8 * MIB, 2 * (maxRequestBytes + MIB)),
        Math.max(64 * MIB, 16L * maxRequestBytes));
  }

  /** The same with a checkpoint at least every so many entries; 10,000 and more changes nothing. */
  public RaftLimits withSnapshotEntries(long entries) {
    if (entries >= 10_000) {
      return this;
    }
    return new RaftLimits(
        MIB,
        Math.min(preallocatedBytes, MIB),
        purgeGap,
        snapshotBytes,
        entries,
        batchBytes,
        maxBatchesInFlight,
        inFlightBytes,
        queueBytes);
  }
}
