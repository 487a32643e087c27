package io.tidemark.mvcc;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How far the runs of each level are built: for level 1 and up the revision at which the next run
 * begins. Runs that a compaction made useless are passed over.
 */
final class RunMarks {
  private static final byte[] KEY = "runs".getBytes(StandardCharsets.US_ASCII);

  private final long[] built;

  private RunMarks(long[] built) {
    this.built = built;
  }

  static byte[] key() {
    return KEY.clone();
  }

  static RunMarks none(CountShape shape) {
    return new RunMarks(new long[shape.levels()]);
  }

  static RunMarks decode(CountShape shape, byte @Nullable [] row) {
    if (row == null) {
      return none(shape);
    }
    if (row.length != shape.levels() * Long.BYTES) {
      throw new StoreFault("the row of the runs has " + row.length + " bytes");
    }
    long[] built = new long[shape.levels()];
    for (int i = 0; i < built.length; i++) {
      built[i] = BigEndian.getLong(row, i * Long.BYTES);
    }
    return new RunMarks(built);
  }

  byte[] encode() {
    byte[] row = new byte[built.length * Long.BYTES];
    for (int i = 0; i < built.length; i++) {
      BigEndian.putLong(row, i * Long.BYTES, built[i]);
    }
    return row;
  }

  long built(int level) {
    return built[level - 1];
  }

  RunMarks with(int level, long revision) {
    long[] next = Arrays.copyOf(built, built.length);
    next[level - 1] = revision;
    return new RunMarks(next);
  }

  /** The highest level that has a run which begins at {@code revision}; 0 if none has. */
  int levelAt(CountShape shape, long revision) {
    for (int level = built.length; level > 0; level--) {
      long revisions = shape.revisions(level);
      if (revision % revisions == 0 && revision + revisions <= built(level)) {
        return level;
      }
    }
    return 0;
  }
}
