package io.tidemark.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The real threads together: a writer, the dispatcher, the cursors and a transport. */
final class ThreadsTest {
  private static final int WRITES = 10_000;

  @Test
  void everyStreamSeesEverythingInOrder() throws InterruptedException {
    ModelHistory model = new ModelHistory();
    AtomicReference<Throwable> fault = new AtomicReference<>();
    WatchLimits limits =
        new WatchLimits(1 << 20, 512, 16_384, 1 << 20, 4_096, 100, 1 << 20, Duration.ofMillis(100));
    WatchableStore store = new WatchableStore("test", model, limits, System::nanoTime, fault::set);
    ExecutorService transport =
        Executors.newFixedThreadPool(2, task -> new Thread(task, "tidemark-test-transport"));
    List<Reader> readers = new ArrayList<>();
    try (store) {
      store.start();
      for (int i = 0; i < 8; i++) {
        Reader reader = new Reader(model, store, transport);
        readers.add(reader);
        reader.probe.create(WatchRig.watch(WatchRig.key("k" + i % 4), 1));
        reader.probe.create(WatchRig.watch(WatchRig.range("k", "l"), i % 2));
      }
      for (int i = 0; i < WRITES; i++) {
        store.publish(
            List.of(
                Objects.requireNonNull(
                    model.write(List.of(new ModelHistory.Op("k" + i % 7, "v" + i))))));
        if (i == WRITES / 2) {
          for (int lost = 0; lost < 1_000; lost++) {
            model.write(List.of(new ModelHistory.Op("k0", "lost" + lost)));
          }
          store.restored();
        }
      }
      // The last write ends each reader.
      store.publish(
          List.of(
              Objects.requireNonNull(
                  model.write(
                      List.of(
                          new ModelHistory.Op("k0", "end"),
                          new ModelHistory.Op("k1", "end"),
                          new ModelHistory.Op("k2", "end"),
                          new ModelHistory.Op("k3", "end"))))));
      long last = model.revision();
      for (Reader reader : readers) {
        reader.awaitRevision(last, fault);
      }
      readers.forEach(reader -> assertNull(reader.failure.get()));
      readers.forEach(reader -> reader.probe.checkComplete());
      readers.forEach(reader -> reader.probe.stream().close());
    } finally {
      transport.shutdown();
      assertTrue(transport.awaitTermination(10, TimeUnit.SECONDS));
    }
    assertNull(fault.get());
    assertEquals(0, store.gauges().queuedBytes());
    assertEquals(0, store.gauges().streams());
  }

  /** Polls on the transport's threads, one task at a time, whenever it is called back. */
  private static final class Reader {
    private final StreamProbe probe;
    private final ExecutorService transport;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile long until = Long.MAX_VALUE;

    Reader(ModelHistory model, WatchableStore store, ExecutorService transport) {
      this.transport = transport;
      this.probe = new StreamProbe(model, store, this::onOutbound);
    }

    private void onOutbound() {
      if (!transport.isShutdown()) {
        transport.execute(this::drain);
      }
    }

    private void drain() {
      synchronized (probe) {
        try {
          probe.readAll();
          checkDone();
        } catch (AssertionError | RuntimeException broken) {
          failure.compareAndSet(null, broken);
          done.countDown();
        }
      }
    }

    private void checkDone() {
      if (probe.all().size() == 2
          && probe.all().values().stream().allMatch(watcher -> watcher.next > until)) {
        done.countDown();
      }
    }

    void awaitRevision(long revision, AtomicReference<Throwable> fault)
        throws InterruptedException {
      synchronized (probe) {
        until = revision;
        checkDone();
      }
      assertTrue(done.await(60, TimeUnit.SECONDS), () -> "still waiting, fault " + fault.get());
    }
  }
}
