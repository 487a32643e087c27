package io.tidemark.mvcc;

/**
 * Memory and pacing of one store.
 *
 * @param blockCacheBytes cache for blocks, indexes and filters, shared by all families
 * @param memtableBytes size at which a family's memtable is written out
 * @param memtablesTotalBytes size of all memtables together at which they are written out
 * @param flushBytes written bytes after which the background flush runs
 * @param flushCommands commands after which the background flush runs
 * @param sliceRows rows that one slice of physical compaction looks at
 * @param reclaimBytes removed bytes after which freed space is handed back to the file system
 * @param backgroundBytesPerSecond ceiling for flushes and compactions together; the engine goes as
 *     far below it as it can, to a twentieth, so that the log's writes find the disk free
 */
public record MvccLimits(
    long blockCacheBytes,
    long memtableBytes,
    long memtablesTotalBytes,
    long flushBytes,
    int flushCommands,
    int sliceRows,
    long reclaimBytes,
    long backgroundBytesPerSecond) {
  private static final long MIB = 1024 * 1024;

  public MvccLimits {
    if (blockCacheBytes <= 0
        || memtableBytes <= 0
        || memtablesTotalBytes < memtableBytes
        || flushBytes <= 0
        || flushCommands <= 0
        || sliceRows <= 0
        || reclaimBytes <= 0
        || backgroundBytesPerSecond <= 0) {
      throw new IllegalArgumentException("limits must be positive");
    }
  }

  /** Bounds under which an idle member stays small. */
  public static MvccLimits defaults() {
    return new MvccLimits(
        64 * MIB, 16 * MIB, 64 * MIB, 32 * MIB, 50_000, 1_000, 64 * MIB, 256 * MIB);
  }

  /**
   * Divides {@code bytes} between the memtables, which gain nothing from more than 64 MiB, and the
   * block cache. Scans, files being written and the allocator come on top.
   */
  public MvccLimits withMemoryBytes(long bytes) {
    long memtables = Math.min(bytes / 2, 64 * MIB);
    return new MvccLimits(
        bytes - memtables,
        Math.min(memtableBytes, memtables),
        memtables,
        flushBytes,
        flushCommands,
        sliceRows,
        reclaimBytes,
        backgroundBytesPerSecond);
  }

  public MvccLimits withFlush(long bytes, int commands) {
    return new MvccLimits(
        blockCacheBytes,
        memtableBytes,
        memtablesTotalBytes,
        bytes,
        commands,
        sliceRows,
        reclaimBytes,
        backgroundBytesPerSecond);
  }

  public MvccLimits withSlices(int rows, long reclaimAfterBytes) {
    return new MvccLimits(
        blockCacheBytes,
        memtableBytes,
        memtablesTotalBytes,
        flushBytes,
        flushCommands,
        rows,
        reclaimAfterBytes,
        backgroundBytesPerSecond);
  }

  MvccLimits withBackgroundBytesPerSecond(long bytes) {
    return new MvccLimits(
        blockCacheBytes,
        memtableBytes,
        memtablesTotalBytes,
        flushBytes,
        flushCommands,
        sliceRows,
        reclaimBytes,
        bytes);
  }
}
