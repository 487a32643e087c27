package io.tidemark.mvcc;

import com.google.protobuf.ByteString;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Finds out which keys came to be or ceased to be in each revision and makes the rows of level 0.
 * Changes come in their order. One thread.
 */
final class RevisionNets {
  private final RunRows rows;
  private final NavigableMap<ByteString, Integer> nets =
      new TreeMap<>(ByteString.unsignedLexicographicalComparator());
  private long revision;

  RevisionNets(BiConsumer<byte[], byte[]> rows) {
    this.rows = new RunRows(0, rows);
  }

  /**
   * One change.
   *
   * @param before whether the key was there one revision earlier
   * @param after whether it is there after the change
   */
  void change(long main, ByteString key, boolean before, boolean after) {
    if (main != revision) {
      finish();
      revision = main;
    }
    if (before == after) {
      nets.remove(key);
    } else {
      nets.put(key, after ? 1 : -1);
    }
  }

  /** Ends the last revision. */
  void finish() {
    if (!nets.isEmpty()) {
      nets.forEach((key, net) -> rows.add(revision, key.toByteArray(), net));
      rows.finish();
      nets.clear();
    }
  }
}
