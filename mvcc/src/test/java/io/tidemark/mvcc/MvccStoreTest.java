package io.tidemark.mvcc;

import static io.tidemark.mvcc.StoreContents.utf8;
import static io.tidemark.mvcc.StoreSteps.pair;
import static io.tidemark.mvcc.StoreSteps.put;
import static io.tidemark.mvcc.StoreSteps.valueAt;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.tidemark.api.mvccpb.KeyValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Entries, tables and the directory of a store. */
class MvccStoreTest {
  @TempDir Path directory;

  @Test
  void emptyStore() {
    try (MvccStore store = open()) {
      assertEquals(1, store.revision());
      assertEquals(-1, store.compactRevision());
      assertEquals(AppliedPosition.INITIAL, store.applied());
      assertEquals(16 * 1024, store.logicalBytes());
      assertEquals(16 * 1024, store.logicalBytesInUse());
      try (ReadView view = store.view()) {
        assertEquals(RangePage.EMPTY, view.range(RangeQuery.of(KeyRange.ALL, 0)));
        assertEquals(0, view.count(KeyRange.ALL, 1));
        assertThrows(FutureRevisionException.class, () -> view.count(KeyRange.ALL, 2));
        assertEquals(List.of(), ModelRun.replay(view, 1, true));
      }
    }
  }

  @Test
  void advanceMovesOnlyThePosition() {
    try (MvccStore store = open()) {
      store.advance(3, 7);
      assertEquals(new AppliedPosition(3, 7), store.applied());
      assertEquals(1, store.revision());
      store.closeWithoutFlush();
    }
    try (MvccStore store = open()) {
      assertEquals(AppliedPosition.INITIAL, store.applied());
      store.advance(3, 7);
      store.flush();
      store.closeWithoutFlush();
    }
    try (MvccStore store = open()) {
      assertEquals(new AppliedPosition(3, 7), store.applied());
    }
  }

  @Test
  void keyDeletedAndPutAgainInOneCommand() {
    ByteString key = utf8("k");
    try (MvccStore store = open()) {
      put(store, 1, "k", "one");
      List<RevisionBatch> live;
      try (EntryBatch batch = store.begin(1, 2)) {
        assertEquals(1, batch.deleteRange(KeyRange.single(key)).size());
        assertNull(batch.get(key));
        assertNull(batch.put(key, utf8("two"), 0));
        KeyValue replaced = batch.put(key, utf8("three"), 5);
        assertEquals(pair("k", "two", 3, 3, 1, 0), replaced);
        assertEquals(3, batch.finishCommand());
        live = batch.commit();
      }
      KeyValue old = pair("k", "one", 2, 2, 1, 0);
      KeyValue deletion = KeyValue.newBuilder().setKey(key).setModRevision(3).build();
      List<Change> expected =
          List.of(
              new Change(true, deletion, old),
              new Change(false, pair("k", "two", 3, 3, 1, 0), null),
              new Change(false, pair("k", "three", 3, 3, 2, 5), null));
      assertEquals(1, live.size());
      assertEquals(expected, live.get(0).changes());
      try (ReadView view = store.view()) {
        assertEquals(live, ModelRun.replay(view, 3, true));
        assertEquals(pair("k", "three", 3, 3, 2, 5), view.get(key, 0));
        assertEquals(old, view.get(key, 2));
      }
    }
  }

  @Test
  void keyPutAndDeletedInOneCommand() {
    ByteString key = utf8("k");
    try (MvccStore store = open()) {
      List<RevisionBatch> live;
      try (EntryBatch batch = store.begin(1, 1)) {
        batch.put(key, utf8("short-lived"), 0);
        batch.deleteRange(KeyRange.from(key));
        batch.finishCommand();
        live = batch.commit();
      }
      KeyValue deletion = KeyValue.newBuilder().setKey(key).setModRevision(2).build();
      assertEquals(
          List.of(
              new Change(false, pair("k", "short-lived", 2, 2, 1, 0), null),
              new Change(true, deletion, null)),
          live.get(0).changes());
      try (ReadView view = store.view()) {
        assertEquals(live, ModelRun.replay(view, 0, true));
        assertEquals(0, view.count(KeyRange.ALL, 0));
      }
      assertEquals(0, StoreContents.rows(store, Family.CUR));
      assertEquals(0, StoreContents.rows(store, Family.HIST));
    }
  }

  @Test
  void historyOfWantedKeysOnly() {
    try (MvccStore store = open()) {
      put(store, 1, "a", "1");
      put(store, 2, "b", "1");
      put(store, 3, "a", "2");
      put(store, 4, "b", "2");
      try (ReadView view = store.view();
          HistoryCursor cursor = view.history(2, true, utf8("b")::equals)) {
        assertTrue(cursor.next());
        assertEquals(3, cursor.batch().revision());
        assertEquals(4, cursor.position());
        assertTrue(cursor.next());
        Change change = new Change(false, pair("b", "2", 3, 5, 2, 0), pair("b", "1", 3, 3, 1, 0));
        assertEquals(List.of(change), cursor.batch().changes());
        assertFalse(cursor.next());
        assertEquals(6, cursor.position());
        assertThrows(IllegalStateException.class, cursor::batch);
      }
    }
  }

  @Test
  void tablesTravelWithTheEntry() {
    ByteString key = utf8("id");
    try (MvccStore store = open()) {
      try (EntryBatch batch = store.begin(1, 1)) {
        batch.tablePut(Table.LEASE, key, utf8("lease"));
        batch.tablePut(Table.LEASE, utf8("a"), utf8("first"));
        batch.tablePut(Table.MEMBER, key, utf8("member"));
        assertEquals(utf8("lease"), batch.tableGet(Table.LEASE, key));
        batch.commit();
      }
      try (EntryBatch batch = store.begin(1, 2)) {
        batch.tableDelete(Table.MEMBER, key);
        batch.tablePut(Table.LEASE, utf8("z"), utf8("last"));
        assertNull(batch.tableGet(Table.MEMBER, key));
        List<String> seen = new ArrayList<>();
        batch.tableScan(Table.LEASE, (k, v) -> seen.add(v.toStringUtf8()));
        assertEquals(List.of("first", "lease", "last"), seen);
        // Not committed.
      }
      try (ReadView view = store.view()) {
        assertEquals(utf8("member"), view.tableGet(Table.MEMBER, key));
        List<String> seen = new ArrayList<>();
        view.tableScan(Table.LEASE, (k, v) -> seen.add(k.toStringUtf8()));
        assertEquals(List.of("a", "id"), seen);
        assertNull(view.tableGet(Table.AUTH, key));
      }
      assertEquals(1, store.revision());
    }
  }

  @Test
  void misuseIsRefused() {
    try (MvccStore store = open()) {
      put(store, 1, "a", "1");
      assertThrows(IllegalArgumentException.class, () -> store.begin(1, 1));
      assertThrows(IllegalArgumentException.class, () -> store.advance(1, 1));
      EntryBatch batch = store.begin(1, 2);
      assertThrows(IllegalStateException.class, () -> store.begin(1, 3));
      batch.put(utf8("a"), utf8("2"), 0);
      assertThrows(IllegalStateException.class, batch::commit);
      assertThrows(IllegalArgumentException.class, () -> batch.compact(3));
      batch.close();
      assertThrows(IllegalStateException.class, batch::finishCommand);
      try (ReadView view = store.view()) {
        assertEquals("1", valueAt(view, utf8("a"), 0));
      }
    }
  }

  @Test
  void unknownFormatIsRefused() {
    try (MvccStore store = open()) {
      RawBatch batch = new RawBatch(64);
      batch.put(
          store.engine().familyId(Family.META), utf8("format").toByteArray(), new byte[] {99});
      store.engine().write(batch.toBytes());
    }
    StoreFault fault = assertThrows(StoreFault.class, this::open);
    assertTrue(String.valueOf(fault.getMessage()).contains("format 63"), fault.getMessage());
  }

  @Test
  void copyOfALiveDirectoryIsAPrefix() throws IOException {
    Path copy = directory.resolve("copy");
    try (MvccStore store = open()) {
      put(store, 1, "a", "1");
      put(store, 2, "a", "2");
      store.flush();
      put(store, 3, "a", "3");
      Files.createDirectory(copy);
      try (var files = Files.list(directory.resolve("db"))) {
        for (Path file : files.toList()) {
          if (!file.endsWith("LOCK")) {
            Files.copy(file, copy.resolve(file.getFileName().toString()));
          }
        }
      }
    }
    try (MvccStore store = MvccStore.open(copy, MvccLimits.defaults());
        ReadView view = store.view()) {
      assertEquals(new AppliedPosition(1, 2), store.applied());
      assertEquals(3, store.revision());
      assertEquals("2", valueAt(view, utf8("a"), 0));
    }
  }

  private MvccStore open() {
    return MvccStore.open(directory.resolve("db"), MvccLimits.defaults());
  }
}
