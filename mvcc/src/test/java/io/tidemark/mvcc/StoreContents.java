package io.tidemark.mvcc;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.BiConsumer;

/** Looks at the stored rows themselves. */
final class StoreContents {
  private StoreContents() {}

  static void forEachRow(MvccStore store, Family family, BiConsumer<byte[], byte[]> visitor) {
    try (Scan scan = store.engine().scan(family, null, new byte[0], null, false)) {
      for (; scan.valid(); scan.next()) {
        visitor.accept(scan.key(), scan.value());
      }
    }
  }

  /** Each row as {@code key=value} in hex. */
  static List<String> hexRows(MvccStore store, Family family) {
    HexFormat hex = HexFormat.of();
    List<String> rows = new ArrayList<>();
    forEachRow(store, family, (k, v) -> rows.add(hex.formatHex(k) + "=" + hex.formatHex(v)));
    return rows;
  }

  /** Size of the rows that the store accounts for. */
  static long accountedBytes(MvccStore store) {
    long[] sum = {0};
    for (Family family : List.of(Family.CUR, Family.LIVE, Family.HIST, Family.REV)) {
      forEachRow(store, family, (key, value) -> sum[0] += key.length + value.length);
    }
    forEachRow(
        store,
        Family.REV,
        (key, value) -> sum[0] -= RevRow.decode(key, value).version().value().size());
    return sum[0];
  }

  static int rows(MvccStore store, Family family) {
    return hexRows(store, family).size();
  }

  static ByteString utf8(String text) {
    return ByteString.copyFromUtf8(text);
  }
}
