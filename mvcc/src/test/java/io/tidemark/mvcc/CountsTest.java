package io.tidemark.mvcc;

import static io.tidemark.mvcc.StoreContents.utf8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Counts over thousands of keys, in the sizes that every store has. The model test has the rest.
 */
class CountsTest {
  private static final long SEED = Long.getLong("counts.seed", System.nanoTime());

  @TempDir Path directory;
  private final Random random = new Random(SEED);
  private final NavigableSet<ByteString> keys = sortedSet();
  private final NavigableMap<Long, NavigableSet<ByteString>> past = new TreeMap<>();

  @SuppressWarnings("NullAway.Init") // opened, and opened again, by the test itself
  private MvccStore store;

  private long index;

  @Test
  void agreeWithASortedSet() throws Exception {
    open();
    for (int round = 0; round < 6; round++) {
      for (int i = 0; i < 40; i++) {
        entry(round);
        if (i % 8 == 0) {
          past.put(store.revision(), copy());
        }
      }
      check();
      store.runs().awaitBuilt(store.revision());
      check();
      assertTrue(CountRows.check(store) > 1);
      if (round == 1) {
        reopen();
      } else if (round == 3) {
        compact();
      } else if (round == 4) {
        store.flush();
        store.closeWithoutFlush();
        open();
      }
    }
    check();
    deleteAll();
    past.put(store.revision(), copy());
    check();
    assertEquals(1, CountRows.check(store));
    store.close();
  }

  /** More keys in one revision than the builder keeps in memory, made and removed again. */
  @Test
  void aRevisionMayHoldVeryManyKeys() throws Exception {
    open();
    try (EntryBatch batch = store.begin(1, ++index)) {
      for (int i = 0; i < 70_000; i++) {
        ByteString key = key(i);
        batch.put(key, ByteString.EMPTY, 0);
        keys.add(key);
      }
      batch.finishCommand();
      batch.commit();
    }
    past.put(store.revision(), copy());
    put("b".repeat(20_000), "c");
    for (int i = 0; i < 130; i++) {
      put("single " + i % 10);
    }
    past.put(store.revision(), copy());
    store.runs().awaitBuilt(store.revision());
    check();
    deleteAll();
    for (int i = 0; i < 130; i++) {
      put("later " + i);
    }
    store.runs().awaitBuilt(store.revision());
    check();
    CountRows.check(store);
    store.close();
  }

  private void open() {
    store = MvccStore.open(directory.resolve("db"), MvccLimits.defaults());
  }

  private void reopen() {
    store.close();
    open();
  }

  /** Random places, then ascending ones; some are removed again, one by one and by range. */
  private void entry(int round) {
    try (EntryBatch batch = store.begin(1, ++index)) {
      for (int i = 0; i < 64; i++) {
        int number =
            round % 2 == 0 ? random.nextInt(40_000) : 100_000 * round + (int) index * 64 + i;
        ByteString key = key(number);
        int dice = random.nextInt(10);
        if (dice == 0) {
          KeyRange range = new KeyRange(key, key(number + random.nextInt(200)));
          batch.deleteRange(range);
          keys.removeIf(range::contains);
        } else if (dice < 3 && !keys.isEmpty()) {
          ByteString gone = keys.ceiling(key) == null ? keys.first() : keys.ceiling(key);
          batch.deleteRange(KeyRange.single(gone));
          keys.remove(gone);
        } else {
          batch.put(key, ByteString.EMPTY, 0);
          keys.add(key);
        }
        if (i % 3 != 0) {
          batch.finishCommand();
        }
      }
      batch.finishCommand();
      batch.commit();
    }
  }

  private void put(String... names) {
    try (EntryBatch batch = store.begin(1, ++index)) {
      for (String name : names) {
        batch.put(utf8(name), ByteString.EMPTY, 0);
        keys.add(utf8(name));
      }
      batch.finishCommand();
      batch.commit();
    }
  }

  private void deleteAll() {
    try (EntryBatch batch = store.begin(1, ++index)) {
      batch.deleteRange(KeyRange.ALL);
      batch.finishCommand();
      batch.commit();
    }
    keys.clear();
  }

  private void compact() throws Exception {
    long at = new ArrayList<>(past.keySet()).get(past.size() / 2);
    StoreSteps.compact(store, ++index, at);
    store.physicalCompaction(at).get(60, TimeUnit.SECONDS);
    past.headMap(at, false).clear();
    try (Scan runs =
        store
            .engine()
            .scan(
                Family.COUNT,
                null,
                CountLayout.runKey(0, 0),
                CountLayout.runKey(0, at + 1),
                false)) {
      assertEquals(false, runs.valid());
    }
  }

  private void check() {
    past.put(store.revision(), copy());
    try (ReadView view = store.view()) {
      past.forEach(
          (at, then) -> {
            assertEquals(then.size(), view.count(KeyRange.ALL, at), () -> "seed " + SEED);
            for (int i = 0; i < 30; i++) {
              check(view, at, then);
            }
          });
    }
  }

  private void check(ReadView view, long at, NavigableSet<ByteString> then) {
    List<ByteString> bounds = new ArrayList<>(List.of(anyKey(), anyKey()));
    bounds.sort(ByteString.unsignedLexicographicalComparator());
    KeyRange range =
        random.nextInt(5) == 0
            ? KeyRange.from(bounds.get(0))
            : new KeyRange(bounds.get(0), bounds.get(1));
    int expected =
        range.isUnbounded()
            ? then.tailSet(range.key(), true).size()
            : then.subSet(range.key(), true, range.rangeEnd(), false).size();
    if (!range.isSingle()) {
      assertEquals(expected, view.count(range, at), () -> range + " at " + at + ", seed " + SEED);
    }
  }

  private ByteString anyKey() {
    ByteString key = key(random.nextInt(700_000));
    ByteString present = keys.floor(key);
    return present == null || random.nextBoolean() ? key : present;
  }

  private static ByteString key(int number) {
    return utf8("/registry/pods/%07d".formatted(number));
  }

  private NavigableSet<ByteString> copy() {
    NavigableSet<ByteString> copy = sortedSet();
    copy.addAll(keys);
    return copy;
  }

  private static NavigableSet<ByteString> sortedSet() {
    return new TreeSet<>(ByteString.unsignedLexicographicalComparator());
  }
}
