package io.tidemark.raftcore.apply;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.MetricRegistry;
import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.CompactionRequest;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.mvcc.KeyRange;
import io.tidemark.mvcc.MvccLimits;
import io.tidemark.raftcore.metrics.SnapshotMetrics;
import io.tidemark.raftcore.snapshot.StoreHome;
import io.tidemark.statemachine.AppliedEntry;
import io.tidemark.statemachine.BatchId;
import io.tidemark.statemachine.Command;
import io.tidemark.statemachine.EntryCodec;
import io.tidemark.statemachine.Genesis;
import io.tidemark.watch.EncodedEvent;
import io.tidemark.watch.WatchLimits;
import io.tidemark.watch.WatchMessage;
import io.tidemark.watch.WatchSpec;
import io.tidemark.watch.WatchStream;
import io.tidemark.watch.WatchableStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What watchers of a member see when a snapshot replaces its store: a real store, another one that
 * is ahead of it, and the threads of a running member. The test's thread is the apply thread.
 */
class RestoreTest {
  private static final ByteString WATCHED = ByteString.copyFromUtf8("watched");
  private static final ByteString DOOR = ByteString.copyFromUtf8("door");
  private static final long FUTURE = 600;

  @TempDir Path directory;

  private final MetricRegistry metrics = new MetricRegistry();
  private Copy ahead;
  private Copy behind;
  private WatchableStore watch;
  private Reader live;
  private Reader future;
  private Doorman doorman;

  @BeforeEach
  void threeWatchersInStep() {
    ahead = new Copy(directory.resolve("ahead"), new MetricRegistry());
    behind = new Copy(directory.resolve("behind"), metrics);
    watch = new WatchableStore("restore", behind.replica, WatchLimits.defaults());
    watch.start();
    live = new Reader(WatchSpec.of(KeyRange.single(WATCHED), 0));
    future = new Reader(WatchSpec.of(KeyRange.single(WATCHED), FUTURE));
    doorman = new Doorman();
    await("created", () -> live.created && future.created && doorman.created());
    for (int n = 0; n < 5; n++) {
      both(WATCHED);
    }
    await("five events", () -> live.revisions().size() == 5);
    await("all in step", () -> watch.gauges().synced() == 3);
  }

  @AfterEach
  void close() {
    doorman.open();
    watch.close();
    ahead.replica.close();
    behind.replica.close();
  }

  /** The dispatcher is held in the middle of its work, so that nothing moves at the swap. */
  @Test
  void noWatcherIsSyncedAtTheSwapAndNoneMissesOrRepeatsAnything() {
    long last = restoreWhileTheDispatcherIsHeld(499, 0);
    assertEquals(0, watch.gauges().synced());
    assertEquals(3, watch.gauges().unsynced());
    assertEquals(1, metrics.meter("tidemark_snapshot_installs").getCount());

    doorman.open();
    for (int n = 0; n < 200; n++) {
      last = behind.publish(WATCHED);
    }
    long end = last;
    await("the last event", () -> live.last() == end);
    await("all in step again", () -> watch.gauges().synced() == 3);
    // Revision 7 was the doorman's.
    assertEquals(
        LongStream.rangeClosed(2, end).filter(r -> r != 7).boxed().toList(), live.revisions());
    assertEquals(LongStream.rangeClosed(FUTURE, end).boxed().toList(), future.revisions());
    assertEquals(List.of(), live.cancels());
    assertEquals(List.of(), future.cancels());
  }

  @Test
  void whoeverNeedsWhatIsCompactedIsToldOnceAndFutureWatchersStaySilent() {
    long last = restoreWhileTheDispatcherIsHeld(499, 300);
    assertEquals(0, watch.gauges().synced());
    doorman.open();
    await("a cancel", () -> !live.cancels().isEmpty());
    while (last < FUTURE - 1) {
      last = behind.publish(WATCHED);
    }
    Reader witness = new Reader(WatchSpec.of(KeyRange.single(WATCHED), last));
    long silent = last;
    await("a newcomer's event", () -> witness.last() == silent);
    assertEquals(List.of(), future.revisions());
    long end = behind.publish(WATCHED);
    await("the first event of the future", () -> future.last() == end);
    assertEquals(List.of(FUTURE), future.revisions());
    assertEquals(List.of(), future.cancels());
    assertEquals(List.of(300L), live.cancels());
    assertEquals(List.of(2L, 3L, 4L, 5L, 6L), live.revisions());
  }

  /** Returns the newest revision after the swap. */
  private long restoreWhileTheDispatcherIsHeld(long revision, long compact) {
    doorman.shut();
    both(DOOR);
    doorman.awaitHeld();
    long last = 0;
    while (last < revision) {
      last = ahead.apply(WATCHED);
    }
    if (compact != 0) {
      ahead.compact(compact);
    }
    Path snapshot = directory.resolve("snapshot");
    ahead.replica.checkpoint(snapshot);
    behind.replica.restore(snapshot);
    behind.index = ahead.index;
    watch.restored();
    return last;
  }

  private void both(ByteString key) {
    ahead.apply(key);
    behind.publish(key);
  }

  private static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() - deadline < 0, () -> "waited in vain for " + what);
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** One member's copy of the data. */
  private final class Copy {
    private final Replica replica;
    private long index;

    Copy(Path home, MetricRegistry registry) {
      replica =
          new Replica(
              new StoreHome(home, home.resolve("none"), MvccLimits.defaults(), "restore"),
              new Genesis(1, List.of()),
              new SnapshotMetrics(registry));
    }

    long apply(ByteString key) {
      run(new Command.Put(PutRequest.newBuilder().setKey(key).build()));
      return replica.revision();
    }

    long publish(ByteString key) {
      AppliedEntry entry = run(new Command.Put(PutRequest.newBuilder().setKey(key).build()));
      watch.publish(entry.batches());
      return replica.revision();
    }

    void compact(long revision) {
      run(new Command.Compact(CompactionRequest.newBuilder().setRevision(revision).build()));
    }

    private AppliedEntry run(Command command) {
      index++;
      return replica.apply(
          1, index, EntryCodec.encode(new BatchId(1, 1, index), List.of(command.encoded())));
    }
  }

  /** A stream with one watcher; the test's thread reads it whenever it looks. */
  private final class Reader {
    private final WatchStream stream;
    private final List<Long> revisions = new ArrayList<>();
    private final List<Long> cancels = new ArrayList<>();
    private boolean created;

    Reader(WatchSpec spec) {
      stream = watch.open(() -> {});
      stream.create(spec);
      RestoreTest.await(
          "created",
          () -> {
            read();
            return created;
          });
    }

    List<Long> revisions() {
      read();
      return revisions;
    }

    List<Long> cancels() {
      read();
      return cancels;
    }

    long last() {
      read();
      return revisions.isEmpty() ? 0 : revisions.get(revisions.size() - 1);
    }

    private void read() {
      for (WatchMessage message = stream.poll(); message != null; message = stream.poll()) {
        if (message instanceof WatchMessage.Events events) {
          events.events().stream().map(EncodedEvent::revision).forEach(revisions::add);
        } else if (message instanceof WatchMessage.Compacted compacted) {
          cancels.add(compacted.compactRevision());
        } else {
          created |= message instanceof WatchMessage.Created;
        }
      }
    }
  }

  /** A watcher whose transport, against the rules, holds the dispatcher when it is told to. */
  private final class Doorman {
    private final WatchStream stream;
    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch opened = new CountDownLatch(1);
    private volatile boolean shut;

    Doorman() {
      stream = watch.open(this::pass);
      stream.create(WatchSpec.of(KeyRange.single(DOOR), 0));
    }

    boolean created() {
      return stream.poll() instanceof WatchMessage.Created && stream.poll() == null;
    }

    void shut() {
      shut = true;
    }

    void awaitHeld() {
      RestoreTest.await("the dispatcher at the door", () -> held.getCount() == 0);
    }

    void open() {
      opened.countDown();
    }

    private void pass() {
      if (!shut) {
        return;
      }
      held.countDown();
      try {
        opened.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
