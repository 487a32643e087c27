package io.tidemark.mvcc;

import static io.tidemark.mvcc.StoreContents.utf8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.ByteString;
import io.tidemark.api.mvccpb.KeyValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Opening, closing, flushing, copying, and views beside a writer. */
class MvccLifecycleTest {
  private static final int SLOW_PUTS = 8;

  @TempDir Path directory;

  @Test
  void opensAndClosesManyTimesWithoutLeavingAnything() {
    for (int i = 1; i <= 30; i++) {
      MvccStore store = MvccStore.open(directory.resolve("db"), MvccLimits.defaults(), "lifecycle");
      put(store, i, "k");
      try (ReadView view = store.view();
          HistoryCursor cursor = view.history(2, true)) {
        assertTrue(cursor.next());
        assertEquals(1, view.range(RangeQuery.of(KeyRange.ALL, 0)).size());
        assertNotNull(view.get(utf8("k"), 2));
      }
      store.close();
      store.close();
      assertTrue(store.released().isDone());
      assertEquals(i + 1, store.revision());
    }
    assertEquals(
        List.of(),
        Thread.getAllStackTraces().keySet().stream()
            .map(Thread::getName)
            .filter(name -> name.startsWith("tidemark-lifecycle-"))
            .toList());
  }

  /** What isn't closed keeps files or threads, since all hangs together in the engine. */
  @Test
  void aHundredOpeningsLeaveNoFileAndNoThread() throws IOException {
    Path descriptors = Path.of("/proc/self/fd");
    assumeTrue(Files.isDirectory(descriptors), "no /proc here");
    openUseAndClose(0);
    int files = entries(descriptors);
    int threads = entries(Path.of("/proc/self/task"));
    for (int i = 1; i <= 100; i++) {
      openUseAndClose(i);
    }
    // A thread or a file more may be the runtime's own; a store that stays takes more than ten.
    assertTrue(entries(descriptors) <= files + 5, () -> "files of " + files);
    assertTrue(entries(Path.of("/proc/self/task")) <= threads + 5, () -> "threads of " + threads);
  }

  /** The engine's pace is for those who are served meanwhile. A member that stops serves nobody. */
  @Test
  @Timeout(30)
  void closingDoesNotKeepToTheBackgroundsPace() throws Exception {
    MvccStore store = storeWithASlowFlush();
    CompletableFuture<Void> flush = CompletableFuture.runAsync(store::flush);
    store.close();
    flush.handle((done, failure) -> done).get();
    try (MvccStore again = open()) {
      assertEquals(SLOW_PUTS + 1, again.revision());
    }
  }

  /** An exit waits for the engine's threads, whatever else was left open. */
  @Test
  @Timeout(30)
  void whatIsLeftOpenCanBeMadeToEnd() throws Exception {
    MvccStore store = storeWithASlowFlush();
    CompletableFuture<Void> flush = CompletableFuture.runAsync(store::flush);
    store.endBackgroundWork();
    flush.handle((done, failure) -> done).get();
    store.closeWithoutFlush();
    store.endBackgroundWork();
  }

  /** Flushing it takes more than a minute. */
  private MvccStore storeWithASlowFlush() {
    MvccLimits limits = MvccLimits.defaults().withBackgroundBytesPerSecond(100 << 10);
    MvccStore store = MvccStore.open(directory.resolve("db"), limits, "test");
    byte[] value = new byte[1 << 20];
    Random random = new Random(1);
    for (int i = 1; i <= SLOW_PUTS; i++) {
      random.nextBytes(value);
      put(store, i, "k" + i, ByteString.copyFrom(value));
    }
    return store;
  }

  private void openUseAndClose(int number) {
    try (MvccStore store = open();
        ReadView outlives = store.view()) {
      long before = store.revision();
      if (number % 20 == 0) { // each write is a file at the end
        put(store, number + 1, "k");
        store.checkpoint(directory.resolve("copy" + number));
      }
      try (ReadView view = store.view();
          RecordCursor records = view.records(1 << 20)) {
        assertEquals(1, view.count(KeyRange.ALL, 0));
        assertNotNull(records.next());
      }
      store.close();
      assertEquals(before, outlives.revision());
    }
  }

  private static int entries(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return (int) files.count();
    }
  }

  @Test
  void viewOutlivesTheStore() {
    MvccStore store = open();
    put(store, 1, "k");
    ReadView view = store.view();
    HistoryCursor cursor = view.history(0, true);
    store.close();
    assertFalse(store.released().isDone());
    assertThrows(IllegalStateException.class, store::view);
    assertThrows(IllegalStateException.class, store::flush);
    assertEquals(1, view.count(KeyRange.ALL, 0));
    view.close();
    view.close();
    assertThrows(IllegalStateException.class, () -> view.count(KeyRange.ALL, 0));
    assertTrue(cursor.next());
    assertFalse(store.released().isDone());
    cursor.close();
    assertTrue(store.released().isDone());
    assertThrows(IllegalStateException.class, cursor::next);
    open().close();
  }

  @Test
  void viewsOfOneStateShareASnapshot() {
    try (MvccStore store = open()) {
      put(store, 1, "k");
      try (ReadView first = store.view();
          ReadView second = store.view()) {
        assertSame(first.snapshot(), second.snapshot());
        put(store, 2, "k");
        try (ReadView third = store.view()) {
          assertFalse(first.snapshot() == third.snapshot());
          assertEquals(2, first.revision());
          assertEquals(3, third.revision());
        }
      }
    }
  }

  @Test
  void viewsAreConsistentBesideAWriter() throws Exception {
    ByteString left = utf8("left");
    ByteString right = utf8("right");
    MvccLimits limits = MvccLimits.defaults().withSlices(7, 1024).withFlush(1024, 20);
    try (MvccStore store = MvccStore.open(directory.resolve("db"), limits)) {
      AtomicBoolean stop = new AtomicBoolean();
      CompletableFuture<Long> reader =
          CompletableFuture.supplyAsync(
              () -> {
                long views = 0;
                do {
                  checkView(store, left, right);
                  views++;
                } while (!stop.get());
                return views;
              });
      for (int i = 1; i <= 600; i++) {
        try (EntryBatch batch = store.begin(1, i)) {
          batch.prefetch(List.of(left, right));
          batch.put(left, utf8("v" + i), 0);
          batch.put(right, utf8("v" + i), 0);
          batch.finishCommand();
          if (i % 50 == 0) {
            batch.compact(i - 10);
          }
          batch.commit();
        }
      }
      stop.set(true);
      assertTrue(reader.get(60, TimeUnit.SECONDS) > 0);
    }
  }

  private static void checkView(MvccStore store, ByteString left, ByteString right) {
    try (ReadView view = store.view()) {
      assertEquals(view.applied().index() < 1 ? 1 : view.applied().index() + 1, view.revision());
      for (long at = Math.max(2, view.compactRevision()); at <= view.revision(); at++) {
        KeyValue one = view.get(left, at);
        KeyValue two = view.get(right, at);
        assertNotNull(one);
        assertNotNull(two);
        assertEquals(at, one.getModRevision());
        assertEquals(one.getValue(), two.getValue());
        assertEquals(2, view.count(KeyRange.ALL, at));
      }
      int revisions = ModelRun.replay(view, Math.max(2, view.compactRevision()), true).size();
      assertEquals(view.revision() - Math.max(2, view.compactRevision()) + 1, revisions);
    }
  }

  @Test
  void flushesInTheBackgroundAfterSoManyCommands() throws Exception {
    MvccLimits limits = MvccLimits.defaults().withFlush(1 << 20, 10);
    MvccStore store = MvccStore.open(directory.resolve("db"), limits);
    for (int i = 1; i <= 10; i++) {
      put(store, i, "k" + i);
    }
    store.flushes().awaitFlushes(1);
    put(store, 11, "lost");
    store.closeWithoutFlush();
    try (MvccStore reopened = open()) {
      assertEquals(new AppliedPosition(1, 10), reopened.applied());
    }
  }

  @Test
  void flushesInTheBackgroundAfterSoManyBytes() throws Exception {
    MvccLimits limits = MvccLimits.defaults().withFlush(1000, 1000);
    MvccStore store = MvccStore.open(directory.resolve("db"), limits);
    put(store, 1, "k".repeat(1000));
    store.flushes().awaitFlushes(1);
    store.closeWithoutFlush();
    try (MvccStore reopened = open()) {
      assertEquals(new AppliedPosition(1, 1), reopened.applied());
    }
  }

  @Test
  void checkpointCarriesItsPositionAndStaysUntouchedByReadingIt() throws IOException {
    Path target = directory.resolve("copy");
    try (MvccStore store = open()) {
      put(store, 1, "a");
      store.advance(4, 9);
      assertEquals(new AppliedPosition(4, 9), store.checkpoint(target));
      put(store, 10, "b");
      assertThrows(StoreFault.class, () -> store.checkpoint(target));
    }
    List<String> before = names(target);
    assertEquals(new AppliedPosition(4, 9), MvccStore.positionOf(target));
    assertEquals(before, names(target));
    assertFalse(before.contains("LOG"));
    assertThrows(StoreFault.class, () -> MvccStore.positionOf(directory.resolve("none")));
    try (MvccStore copy = MvccStore.open(target, MvccLimits.defaults())) {
      assertEquals(2, copy.revision());
    }
  }

  @Test
  void compactionThatNeverFinishesFailsOnClose() {
    MvccStore store = open();
    put(store, 1, "a");
    CompletableFuture<Void> never = store.physicalCompaction(5);
    assertTrue(store.physicalCompaction(0).isDone());
    store.close();
    ExecutionException failure = assertThrows(ExecutionException.class, never::get);
    Throwable cause = failure.getCause();
    assertTrue(
        cause instanceof CancellationException
            || (cause instanceof CompletionException
                && cause.getCause() instanceof CancellationException),
        String.valueOf(cause));
  }

  private static List<String> names(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private MvccStore open() {
    return MvccStore.open(directory.resolve("db"), MvccLimits.defaults());
  }

  private static void put(MvccStore store, long index, String key) {
    put(store, index, key, utf8("v"));
  }

  private static void put(MvccStore store, long index, String key, ByteString value) {
    try (EntryBatch batch = store.begin(1, index)) {
      batch.put(utf8(key), value, 0);
      batch.finishCommand();
      batch.commit();
    }
  }
}
