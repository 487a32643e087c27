package io.tidemark.mvcc;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.DataBlockIndexType;
import org.rocksdb.IndexType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.RateLimiter;
import org.rocksdb.RateLimiterMode;
import org.rocksdb.RocksDB;

/** The native option objects of one engine, closed with it. */
final class EngineOptions implements AutoCloseable {
  private static final int BLOCK_BYTES = 16 * 1024;
  private static final int LIVE_BLOCK_BYTES = 32 * 1024;
  private static final int BLOOM_BITS = 10;
  private static final int WRITE_BUFFERS = 6;
  // The apply thread must never be slowed down by the engine; the proposer throttles instead.
  private static final int L0_FILES_UNLIMITED = 1_000;
  private static final int L0_COMPACTION_FILES = 4;

  private static final long NO_CEILING = 1L << 40;
  private static final long REFILL_MICROS = 20_000;
  private static final int FAIRNESS = 10;

  private final List<AutoCloseable> natives = new ArrayList<>();
  private final Map<Family, ColumnFamilyOptions> families = new EnumMap<>(Family.class);
  private final DBOptions db;
  private final RateLimiter pace;

  private EngineOptions(MvccLimits limits) {
    Cache cache = keep(new LRUCache(limits.blockCacheBytes()));
    BloomFilter bloom = keep(new BloomFilter(BLOOM_BITS));
    pace =
        keep(
            new RateLimiter(
                limits.backgroundBytesPerSecond(),
                REFILL_MICROS,
                FAIRNESS,
                RateLimiterMode.WRITES_ONLY,
                true));
    for (Family family : Family.values()) {
      families.put(family, keep(familyOptions(family, limits, cache, bloom)));
    }
    db =
        keep(
            new DBOptions()
                .setCreateIfMissing(true)
                .setCreateMissingColumnFamilies(true)
                .setAtomicFlush(true)
                .setDbWriteBufferSize(limits.memtablesTotalBytes())
                .setMaxBackgroundJobs(3)
                .setRateLimiter(pace)
                .setBytesPerSync(1024 * 1024)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setKeepLogFileNum(3)
                .setMaxLogFileSize(4L * 1024 * 1024)
                .setStatsDumpPeriodSec(0)
                .setStatsPersistPeriodSec(0));
  }

  static EngineOptions create(MvccLimits limits) {
    // Before any option object: they call into the library when they are made.
    RocksDB.loadLibrary();
    return new EngineOptions(limits);
  }

  DBOptions db() {
    return db;
  }

  ColumnFamilyOptions of(Family family) {
    return Objects.requireNonNull(families.get(family));
  }

  /** Background work gets all of the disk. */
  void unpace() {
    pace.setBytesPerSecond(NO_CEILING);
  }

  @Override
  public void close() {
    for (int i = natives.size() - 1; i >= 0; i--) {
      closeQuietly(natives.get(i));
    }
  }

  private static void closeQuietly(AutoCloseable closeable) {
    try {
      closeable.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private <T extends AutoCloseable> T keep(T closeable) {
    natives.add(closeable);
    return closeable;
  }

  private static ColumnFamilyOptions familyOptions(
      Family family, MvccLimits limits, Cache cache, BloomFilter bloom) {
    BlockBasedTableConfig table =
        new BlockBasedTableConfig()
            .setBlockCache(cache)
            .setBlockSize(family == Family.LIVE ? LIVE_BLOCK_BYTES : BLOCK_BYTES)
            .setCacheIndexAndFilterBlocks(true)
            .setCacheIndexAndFilterBlocksWithHighPriority(true)
            .setPinL0FilterAndIndexBlocksInCache(true)
            .setPinTopLevelIndexAndFilter(true)
            .setIndexType(IndexType.kTwoLevelIndexSearch)
            .setPartitionFilters(true);
    if (family == Family.CUR || family == Family.HIST || family == Family.SYS) {
      table.setFilterPolicy(bloom);
    }
    if (family == Family.CUR) {
      table.setDataBlockIndexType(DataBlockIndexType.kDataBlockBinaryAndHash);
    }
    return new ColumnFamilyOptions()
        .setTableFormatConfig(table)
        .setWriteBufferSize(limits.memtableBytes())
        .setMaxWriteBufferNumber(WRITE_BUFFERS)
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setLevelCompactionDynamicLevelBytes(true)
        .setLevel0FileNumCompactionTrigger(L0_COMPACTION_FILES)
        .setLevel0SlowdownWritesTrigger(L0_FILES_UNLIMITED)
        .setLevel0StopWritesTrigger(L0_FILES_UNLIMITED)
        .setSoftPendingCompactionBytesLimit(0)
        .setHardPendingCompactionBytesLimit(0);
  }
}
