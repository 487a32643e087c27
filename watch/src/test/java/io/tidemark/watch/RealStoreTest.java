package io.tidemark.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.tidemark.api.mvccpb.Event;
import io.tidemark.mvcc.EntryBatch;
import io.tidemark.mvcc.KeyRange;
import io.tidemark.mvcc.MvccLimits;
import io.tidemark.mvcc.MvccStore;
import io.tidemark.mvcc.ReadView;
import io.tidemark.mvcc.RevisionBatch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Catching up from a store on disk: the same events as live, across compaction and restart. */
final class RealStoreTest {
  private static final KeyRange ALL = KeyRange.from(WatchRig.bytes("\0"));

  @TempDir Path directory;
  private MvccStore store;
  private WatchableStore watch;
  private CursorAgent cursor;
  private long index;

  @BeforeEach
  void open() {
    store = MvccStore.open(directory, MvccLimits.defaults());
    HistorySource source =
        new HistorySource() {
          @Override
          public ReadView view() {
            return store.view();
          }

          @Override
          public long revision() {
            return store.revision();
          }

          @Override
          public long compactRevision() {
            return store.compactRevision();
          }
        };
    watch =
        new WatchableStore(
            "test",
            new StoreHistory(source),
            WatchRig.SMALL,
            () -> 0,
            fault -> {
              throw new AssertionError(fault);
            });
    cursor = watch.newCursor();
  }

  @AfterEach
  void close() {
    watch.close();
    store.close();
  }

  private void reopen() {
    close();
    open();
  }

  private List<RevisionBatch> apply(Consumer<EntryBatch> commands) {
    try (EntryBatch entry = store.begin(1, ++index)) {
      commands.accept(entry);
      List<RevisionBatch> batches = entry.commit();
      watch.publish(batches);
      return batches;
    }
  }

  private void compact(long revision) {
    apply(entry -> entry.compact(revision));
    watch.compacted(revision);
  }

  /** Random commands over few keys; several in one entry. */
  private void write(Random random, int entries) {
    for (int i = 0; i < entries; i++) {
      apply(
          entry -> {
            int commands = 1 + random.nextInt(3);
            for (int c = 0; c < commands; c++) {
              command(random, entry);
              entry.finishCommand();
            }
          });
    }
  }

  private static void command(Random random, EntryBatch entry) {
    int first = random.nextInt(8);
    for (int k = first; k < first + 1 + random.nextInt(3); k++) {
      ByteString key = WatchRig.bytes("key" + k);
      if (random.nextInt(3) == 0) {
        entry.deleteRange(KeyRange.single(key));
      } else {
        entry.put(key, WatchRig.bytes("v" + random.nextInt()), 0);
      }
    }
  }

  private List<Event> readAll(WatchStream stream) throws InvalidProtocolBufferException {
    List<Event> events = new ArrayList<>();
    boolean more = true;
    while (more) {
      while (watch.dispatcher().doWork() + cursor.doWork() > 0) {}
      more = false;
      for (WatchMessage message = stream.poll(); message != null; message = stream.poll()) {
        more = true;
        if (message instanceof WatchMessage.Events list) {
          for (EncodedEvent event : list.events()) {
            events.add(Event.parseFrom(event.bytes()));
          }
        }
      }
    }
    return events;
  }

  private List<Event> replay(WatchSpec spec) throws InvalidProtocolBufferException {
    try (WatchStream stream = watch.open(() -> {})) {
      stream.create(spec);
      return readAll(stream);
    }
  }

  private static WatchSpec spec(KeyRange range, long start, boolean prevKv) {
    return new WatchSpec(range, start, 0, false, false, false, prevKv, false);
  }

  @Test
  void replayFromDiskEqualsWhatWasSeenLive() throws InvalidProtocolBufferException {
    for (KeyRange range : List.of(ALL, WatchRig.key("key3"), WatchRig.range("key2", "key5"))) {
      for (boolean prevKv : List.of(false, true)) {
        long start = store.revision() + 1;
        WatchStream live = watch.open(() -> {});
        live.create(spec(range, 0, prevKv));
        readAll(live);
        write(new Random(7), 40);
        List<Event> seen = readAll(live);
        assertTrue(seen.size() > 10);
        assertEquals(seen, replay(spec(range, start, prevKv)));
      }
    }
    assertTrue(watch.gauges().diskRevisions() > 50);
  }

  @Test
  void replayIsTheSameAfterCompactionBelowItAndAfterRestart() throws Exception {
    write(new Random(3), 80);
    long start = store.revision() / 2;
    List<Event> before = replay(spec(ALL, start, false));
    compact(start);
    assertEquals(before, replay(spec(ALL, start, false)));
    store.physicalCompaction(start).get();
    assertEquals(before, replay(spec(ALL, start, false)));
    reopen();
    assertEquals(before, replay(spec(ALL, start, false)));
  }

  @Test
  void bug18089And19179() throws Exception {
    ByteString key = WatchRig.bytes("gone");
    apply(
        entry -> {
          entry.put(key, WatchRig.bytes("1"), 0);
          entry.finishCommand();
          entry.deleteRange(KeyRange.single(key));
          entry.finishCommand();
        });
    write(new Random(5), 60);
    compact(3);
    store.physicalCompaction(3).get();
    List<Event> seen = replay(spec(KeyRange.single(key), 3, false));
    assertEquals(1, seen.size());
    assertEquals(Event.EventType.DELETE, seen.get(0).getType());
    assertEquals(3, seen.get(0).getKv().getModRevision());
    reopen();
    assertEquals(seen, replay(spec(KeyRange.single(key), 3, false)));
  }

  @Test
  void aStartBelowTheCompactRevisionEndsAlsoWithTheCompactionUnannounced() {
    write(new Random(5), 60);
    while (watch.dispatcher().doWork() > 0) {}
    WatchStream stream = watch.open(() -> {});
    stream.create(spec(ALL, 5, false));
    watch.dispatcher().doWork(); // handed to a cursor thread
    apply(entry -> entry.compact(10));
    cursor.doWork();
    watch.dispatcher().doWork();
    assertEquals(new WatchMessage.Created(0, store.revision()), stream.poll());
    assertEquals(new WatchMessage.Compacted(0, 10, store.revision()), stream.poll());
    watch.compacted(10);
    while (watch.dispatcher().doWork() + cursor.doWork() > 0) {}
    assertEquals(null, stream.poll());
  }
}
