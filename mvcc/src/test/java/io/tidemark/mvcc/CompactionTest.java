package io.tidemark.mvcc;

import static io.tidemark.mvcc.StoreContents.utf8;
import static io.tidemark.mvcc.StoreSteps.compact;
import static io.tidemark.mvcc.StoreSteps.put;
import static io.tidemark.mvcc.StoreSteps.valueAt;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.tidemark.api.mvccpb.KeyValue;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What compaction removes and what it leaves, also across restarts. */
class CompactionTest {
  @TempDir Path directory;

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

  private MvccStore open() {
    return MvccStore.open(directory.resolve("db"), MvccLimits.defaults());
  }
}
