package io.tidemark.mvcc;

import static io.tidemark.mvcc.StoreContents.utf8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
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
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

  /** The revision must survive when its newest rows are compacted deletions. */
  @Test
  void etcd17780RevisionNeverFalls() throws Exception {
    try (MvccStore store = open()) {
      put(store, 1, "a", "1");
      put(store, 2, "b", "1");
      try (EntryBatch batch = store.begin(1, 3)) {
        batch.deleteRange(KeyRange.ALL);
        assertEquals(4, batch.finishCommand());
        batch.compact(4);
        batch.finishCommand();
        batch.commit();
      }
      store.physicalCompaction(4).get(60, TimeUnit.SECONDS);
      store.flush();
      store.closeWithoutFlush();
    }
    try (MvccStore store = open()) {
      assertEquals(4, store.revision());
      assertEquals(4, store.compactRevision());
      put(store, 4, "c", "1");
      assertEquals(5, store.revision());
      compact(store, 5, 5);
      store.physicalCompaction(5).get(60, TimeUnit.SECONDS);
      assertEquals(1, StoreContents.rows(store, Family.REV));
    }
    try (MvccStore store = open()) {
      assertEquals(5, store.revision());
      assertEquals(5, store.compactRevision());
    }
  }

  /** The deletion at the compact revision stays, also after physical removal and a restart. */
  @Test
  void etcd18089And19179DeletionAtTheCompactRevisionStays() throws Exception {
    List<RevisionBatch> expected;
    try (MvccStore store = open()) {
      put(store, 1, "k", "1");
      try (EntryBatch batch = store.begin(1, 2)) {
        batch.deleteRange(KeyRange.ALL);
        batch.finishCommand();
        batch.commit();
      }
      put(store, 3, "other", "1");
      compact(store, 4, 3);
      store.physicalCompaction(3).get(60, TimeUnit.SECONDS);
      try (ReadView view = store.view()) {
        expected = ModelRun.replay(view, 3, true);
        assertThrows(CompactedException.class, () -> view.history(2, false));
      }
    }
    KeyValue deletion = KeyValue.newBuilder().setKey(utf8("k")).setModRevision(3).build();
    assertEquals(List.of(new Change(true, deletion, null)), expected.get(0).changes());
    try (MvccStore store = open();
        ReadView view = store.view()) {
      assertEquals(expected, ModelRun.replay(view, 3, true));
    }
  }

  @Test
  void etcd18667CompactedAndFutureReadsInsideAnEntry() {
    try (MvccStore store = open()) {
      put(store, 1, "a", "1");
      put(store, 2, "a", "2");
      try (EntryBatch batch = store.begin(1, 3)) {
        batch.compact(3);
        CompactedException compacted =
            assertThrows(
                CompactedException.class, () -> batch.range(RangeQuery.of(KeyRange.ALL, 2)));
        assertEquals(2, compacted.asked());
        assertEquals(3, compacted.bound());
        batch.put(utf8("a"), utf8("3"), 0);
        FutureRevisionException future =
            assertThrows(
                FutureRevisionException.class, () -> batch.range(RangeQuery.of(KeyRange.ALL, 4)));
        assertEquals(3, future.bound());
        batch.finishCommand();
        assertEquals(1, batch.range(RangeQuery.of(KeyRange.ALL, 4)).count());
      }
      assertEquals(3, store.revision());
      assertEquals(-1, store.compactRevision());
    }
  }

  @Test
  void manyVersionsOfOneKeyAreRemoved() throws Exception {
    ByteString hot = utf8("hot");
    try (MvccStore store = open()) {
      put(store, 1, "ho", "kept");
      put(store, 2, "hot\0", "kept");
      try (EntryBatch batch = store.begin(1, 3)) {
        for (int i = 0; i < 500; i++) {
          batch.put(hot, utf8("v" + i), 0);
          batch.finishCommand();
        }
        batch.commit();
      }
      assertEquals(499, StoreContents.rows(store, Family.HIST));
      try (ReadView view = store.view()) {
        assertEquals("v250", valueAt(view, hot, 254));
        assertEquals(3, view.count(KeyRange.ALL, 254));
      }
      compact(store, 4, 400);
      store.physicalCompaction(400).get(60, TimeUnit.SECONDS);
      assertEquals(103, StoreContents.rows(store, Family.HIST));
      assertEquals(104, StoreContents.rows(store, Family.REV));
      assertEquals(StoreContents.accountedBytes(store), store.logicalBytes() - 16 * 1024);
      try (ReadView view = store.view()) {
        assertEquals("v396", valueAt(view, hot, 400));
        assertEquals("v499", valueAt(view, hot, 0));
      }
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
  void olderViewKeepsItsHistoryAcrossCompaction() throws Exception {
    MvccLimits limits = MvccLimits.defaults().withSlices(10, 1);
    try (MvccStore store = MvccStore.open(directory.resolve("db"), limits)) {
      for (int i = 1; i <= 100; i++) {
        put(store, i, "k" + i % 3, "value " + i);
      }
      try (ReadView older = store.view()) {
        List<RevisionBatch> expected = ModelRun.replay(older, 2, true);
        assertEquals(100, expected.size());
        compact(store, 101, 101);
        store.physicalCompaction(101).get(60, TimeUnit.SECONDS);
        store.flush();
        assertEquals(expected, ModelRun.replay(older, 2, true));
        assertEquals("value 3", valueAt(older, utf8("k0"), 5));
        try (ReadView newer = store.view()) {
          assertEquals(1, ModelRun.replay(newer, 101, true).size());
        }
      }
    }
  }

  @Test
  void sizeFollowsWhatIsStored() throws Exception {
    try (MvccStore store = open()) {
      long last = store.logicalBytes();
      for (int i = 1; i <= 20; i++) {
        put(store, i, "k" + i % 5, "value " + i);
        assertTrue(store.logicalBytes() > last);
        last = store.logicalBytes();
        assertEquals(StoreContents.accountedBytes(store), last - 16 * 1024);
      }
      compact(store, 21, 21);
      store.physicalCompaction(21).get(60, TimeUnit.SECONDS);
      assertTrue(store.logicalBytes() < last);
      assertEquals(StoreContents.accountedBytes(store), store.logicalBytes() - 16 * 1024);
      assertEquals(store.logicalBytes(), store.logicalBytesInUse());
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
    assertTrue(String.valueOf(fault.getMessage()).contains("[99]"), fault.getMessage());
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

  private static String valueAt(ReadView view, ByteString key, long revision) {
    KeyValue pair = view.get(key, revision);
    assertNotNull(pair);
    return pair.getValue().toStringUtf8();
  }

  private static StoreDigest digest(MvccStore store, long revision) {
    try (ReadView view = store.view()) {
      return view.digest(revision);
    }
  }

  private MvccStore open() {
    return MvccStore.open(directory.resolve("db"), MvccLimits.defaults());
  }

  private static KeyValue pair(
      String key, String value, long create, long mod, long version, long lease) {
    return KeyValue.newBuilder()
        .setKey(utf8(key))
        .setValue(utf8(value))
        .setCreateRevision(create)
        .setModRevision(mod)
        .setVersion(version)
        .setLease(lease)
        .build();
  }

  private static void put(MvccStore store, long index, String key, String value) {
    try (EntryBatch batch = store.begin(1, index)) {
      batch.put(utf8(key), utf8(value), 0);
      batch.finishCommand();
      batch.commit();
    }
  }

  private static void compact(MvccStore store, long index, long revision) {
    try (EntryBatch batch = store.begin(1, index)) {
      batch.compact(revision);
      batch.finishCommand();
      batch.commit();
    }
  }
}
