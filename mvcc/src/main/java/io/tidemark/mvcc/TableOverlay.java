package io.tidemark.mvcc;

import com.google.protobuf.ByteString;
import java.util.EnumMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The system tables as an entry sees them: its own rows over the store's. Thread: apply. */
final class TableOverlay {
  private final StoreReader base;
  private final Map<Table, NavigableMap<ByteString, Optional<ByteString>>> changed =
      new EnumMap<>(Table.class);

  TableOverlay(StoreReader base) {
    this.base = base;
  }

  @Nullable ByteString get(Table table, ByteString key) {
    Optional<ByteString> own = rows(table).get(key);
    return own != null ? own.orElse(null) : base.tableGet(table, key);
  }

  void put(Table table, ByteString key, ByteString value) {
    rows(table).put(key, Optional.of(value));
  }

  void delete(Table table, ByteString key) {
    rows(table).put(key, Optional.empty());
  }

  void scan(Table table, ByteString prefix, BiConsumer<ByteString, ByteString> visitor) {
    NavigableMap<ByteString, ByteString> merged = sortedMap();
    base.tableScan(table, prefix, merged::put);
    for (Map.Entry<ByteString, Optional<ByteString>> own :
        rows(table).tailMap(prefix, true).entrySet()) {
      if (!own.getKey().startsWith(prefix)) {
        break;
      }
      own.getValue()
          .ifPresentOrElse(
              present -> merged.put(own.getKey(), present), () -> merged.remove(own.getKey()));
    }
    merged.forEach(visitor);
  }

  void writeTo(EntryRows rows) {
    changed.forEach(
        (table, own) ->
            own.forEach(
                (key, value) -> {
                  byte[] tableKey = KeyLayout.tableKey(table, key);
                  value.ifPresentOrElse(
                      present -> rows.table(tableKey, present), () -> rows.tableDelete(tableKey));
                }));
  }

  private NavigableMap<ByteString, Optional<ByteString>> rows(Table table) {
    return changed.computeIfAbsent(table, ignored -> sortedMap());
  }

  private static <V> NavigableMap<ByteString, V> sortedMap() {
    return new TreeMap<>(ByteString.unsignedLexicographicalComparator());
  }
}
