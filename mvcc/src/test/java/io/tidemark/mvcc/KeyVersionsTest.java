package io.tidemark.mvcc;

import static io.tidemark.mvcc.StoreContents.utf8;
import static io.tidemark.mvcc.StoreSteps.compact;
import static io.tidemark.mvcc.StoreSteps.put;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import io.tidemark.api.mvccpb.KeyValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The kept versions of a key: what single reads at every readable revision show. */
class KeyVersionsTest {
  @TempDir Path directory;

  @Test
  void versionsAndDeletionsNewestFirst() {
    try (MvccStore store = open()) {
      put(store, 1, "k", "one");
      put(store, 2, "k\0", "another key");
      put(store, 3, "k", "two");
      delete(store, 4, "k");
      put(store, 5, "k", "three");
      try (ReadView view = store.view()) {
        assertEquals(List.of("6 three", "5 deleted", "4 two", "2 one"), texts(view, "k", 0));
        assertEquals(List.of("4 two", "2 one"), texts(view, "k", 5));
        assertEquals(List.of("2 one"), texts(view, "k", 4));
        assertEquals(List.of(), texts(view, "k", 2));
        assertEquals(List.of(), texts(view, "absent", 0));
        List<Long> first = new ArrayList<>();
        view.forEachVersion(
            utf8("k"),
            0,
            version -> {
              first.add(version.revision());
              return first.size() < 2;
            });
        assertEquals(List.of(6L, 5L), first);
      }
    }
  }

  /** A view goes on showing what it showed. */
  @Test
  void aViewKnowsNothingOfLaterVersions() {
    try (MvccStore store = open()) {
      put(store, 1, "k", "one");
      try (ReadView view = store.view()) {
        put(store, 2, "k", "two");
        delete(store, 3, "k");
        assertEquals(List.of("2 one"), texts(view, "k", 0));
      }
    }
  }

  @Test
  void agreesWithReadsAtEveryRevision() throws Exception {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    List<String> keys = List.of("a", "a\0", "ab", "b");
    try (MvccStore store = open()) {
      long index = 0;
      for (int step = 0; step < 400; step++) {
        index++;
        String key = keys.get(random.nextInt(keys.size()));
        switch (random.nextInt(12)) {
          case 0, 1 -> delete(store, index, key);
          case 2 -> rewrite(store, index, key, "r" + step);
          default -> put(store, index, key, "v" + step);
        }
        if (step % 90 == 89) {
          long at = store.compactRevision() + random.nextInt(30) + 20;
          compact(store, ++index, Math.min(at, store.revision()));
        }
        if (step % 180 == 179) {
          store.physicalCompaction(store.compactRevision()).get(60, TimeUnit.SECONDS);
        }
      }
      try (ReadView view = store.view()) {
        for (String key : keys) {
          assertEquals(oracle(view, utf8(key)), versions(view, key, 0), () -> "seed " + seed);
        }
      }
    }
  }

  /** Reads the key at every readable revision, and keeps where it differs from the one before. */
  private static List<KeyVersion> oracle(ReadView view, ByteString key) {
    List<KeyVersion> found = new ArrayList<>();
    long oldest = Math.max(1, view.compactRevision());
    for (long revision = view.revision(); revision >= oldest; revision--) {
      KeyValue pair = view.get(key, revision);
      if (pair == null) {
        boolean before = revision > oldest && view.get(key, revision - 1) != null;
        if (before) {
          found.add(new KeyVersion(revision, null));
        }
      } else if (pair.getModRevision() == revision || revision == oldest) {
        found.add(new KeyVersion(pair.getModRevision(), pair));
      }
    }
    return found;
  }

  private static List<KeyVersion> versions(ReadView view, String key, long before) {
    List<KeyVersion> found = new ArrayList<>();
    view.forEachVersion(utf8(key), before, found::add);
    return found;
  }

  private static List<String> texts(ReadView view, String key, long before) {
    return versions(view, key, before).stream()
        .map(
            version ->
                version.revision()
                    + " "
                    + (version.pair() == null
                        ? "deleted"
                        : version.pair().getValue().toStringUtf8()))
        .toList();
  }

  private static void delete(MvccStore store, long index, String key) {
    try (EntryBatch batch = store.begin(1, index)) {
      batch.deleteRange(KeyRange.single(utf8(key)));
      batch.finishCommand();
      batch.commit();
    }
  }

  /** Deletes the key and puts it again in one revision. */
  private static void rewrite(MvccStore store, long index, String key, String value) {
    try (EntryBatch batch = store.begin(1, index)) {
      batch.deleteRange(KeyRange.single(utf8(key)));
      batch.put(utf8(key), utf8(value), 0);
      batch.finishCommand();
      batch.commit();
    }
  }

  private MvccStore open() {
    return MvccStore.open(directory, MvccLimits.defaults());
  }
}
