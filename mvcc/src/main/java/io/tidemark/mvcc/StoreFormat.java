package io.tidemark.mvcc;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which format a store has: marks new ones, upgrades older ones, refuses all others. */
final class StoreFormat {
  private static final Logger LOG = LoggerFactory.getLogger(StoreFormat.class);
  private static final byte[] KEY = "format".getBytes(StandardCharsets.US_ASCII);
  private static final byte WITHOUT_COUNTS = 1;
  private static final byte CURRENT = 2;

  private StoreFormat() {}

  /** Blocks for as long as an upgrade takes, which depends on the number of keys. */
  static void check(Engine engine, Path directory) {
    byte[] found = engine.get(Family.META, KEY);
    boolean isNew = found == null && engine.get(Family.META, StoreState.key()) == null;
    if (isNew) {
      mark(engine);
      return;
    }
    int format = found != null && found.length == 1 ? found[0] : -1;
    if (format == WITHOUT_COUNTS) {
      LOG.info("the store in {} has format 1 and is upgraded to format 2", directory);
      FormatUpgrade.addCounts(engine);
      mark(engine);
    } else if (format != CURRENT) {
      String bytes = found == null ? "none" : HexFormat.of().formatHex(found);
      throw new StoreFault(
          "the store in "
              + directory
              + " has format "
              + bytes
              + ", and this version reads formats 01 and 02");
    }
  }

  private static void mark(Engine engine) {
    RawBatch batch = new RawBatch(64);
    batch.put(engine.familyId(Family.META), KEY, new byte[] {CURRENT});
    engine.write(batch.toBytes());
  }
}
