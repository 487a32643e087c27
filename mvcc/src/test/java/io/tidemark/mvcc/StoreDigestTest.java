package io.tidemark.mvcc;

import static io.tidemark.mvcc.StoreContents.utf8;
import static io.tidemark.mvcc.StoreSteps.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The digest that members are compared by. */
class StoreDigestTest {
  @TempDir Path directory;

  @Test
  void digestSeesEveryDifference() {
    int one = digestOf("one", "k", "v", 0);
    assertEquals(one, digestOf("again", "k", "v", 0));
    assertNotEquals(one, digestOf("value", "k", "w", 0));
    assertNotEquals(one, digestOf("key", "kv", "", 0));
    assertNotEquals(one, digestOf("lease", "k", "v", 1));
    assertFalse(one == 0);
  }

  @Test
  void digestAtARevisionIgnoresWhatCameLater() {
    try (MvccStore store = open()) {
      put(store, 1, "a", "1");
      put(store, 2, "b", "1");
      StoreDigest before = digest(store, 0);
      assertEquals(3, before.revision());
      assertEquals(-1, before.compactRevision());
      assertEquals(2, before.appliedIndex());
      put(store, 3, "a", "2");
      put(store, 4, "c", "2");
      assertEquals(before.hash(), digest(store, 3).hash());
      assertNotEquals(before.hash(), digest(store, 0).hash());
    }
  }

  @Test
  void pieceByPieceIsTheSameWhateverIsWrittenMeanwhile() {
    try (MvccStore store = open()) {
      put(store, 1, "a", "1");
      put(store, 2, "a", "2");
      put(store, 3, "b", "1");
      StoreDigest whole = digest(store, 3);
      DigestCursor cursor;
      try (ReadView view = store.view()) {
        cursor = view.digestCursor(3);
      }
      try (cursor) {
        for (int entry = 4; !cursor.advance(1); entry++) {
          put(store, entry, "a", "later");
        }
        assertEquals(
            new StoreDigest(3, -1, 3, whole.hash()), cursor.digest(), "of the view, not of now");
      }
      assertThrows(IllegalStateException.class, () -> cursor.advance(1));
      try (ReadView view = store.view();
          DigestCursor unfinished = view.digestCursor(0)) {
        assertFalse(unfinished.advance(1));
        assertThrows(IllegalStateException.class, unfinished::digest);
      }
    }
  }

  private int digestOf(String name, String key, String value, long lease) {
    try (MvccStore store = MvccStore.open(directory.resolve(name), MvccLimits.defaults())) {
      try (EntryBatch batch = store.begin(1, 1)) {
        batch.put(utf8(key), utf8(value), lease);
        batch.finishCommand();
        batch.commit();
      }
      return digest(store, 0).hash();
    }
  }

  private static StoreDigest digest(MvccStore store, long revision) {
    try (ReadView view = store.view()) {
      return view.digest(revision);
    }
  }

  private MvccStore open() {
    return MvccStore.open(directory.resolve("db"), MvccLimits.defaults());
  }
}
