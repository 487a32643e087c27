package io.tidemark.examples;

import static io.tidemark.examples.Texts.answer;
import static io.tidemark.examples.Texts.bytes;

import io.etcd.jetcd.Client;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Brings what is towards what is wanted: every {@code wanted/X} gets an {@code actual/X} of the same
 * value, and nothing else stays below {@code actual/}.
 *
 * <p>It goes by the two states and not by the events between them, so it doesn't matter whether it
 * slept, was restarted or runs twice: each round does what is still missing, and doing it again
 * changes nothing. A round that fails is tried again; there is one now and then without an event.
 */
public final class Reconciler implements AutoCloseable {
  private static final long AGAIN_SECONDS = 1;

  private final Client client;
  private final Semaphore changed = new Semaphore(1);
  private final ListWatchCache wanted;
  private final ListWatchCache actual;
  private final Thread loop;

  public Reconciler(Client client) {
    this.client = client;
    this.wanted = new ListWatchCache(client, "wanted/", this::wake);
    this.actual = new ListWatchCache(client, "actual/", this::wake);
    this.loop = new Thread(this::run, "reconciler");
    loop.setDaemon(true);
    loop.start();
  }

  /** Many changes make one round. */
  private void wake() {
    if (changed.availablePermits() == 0) {
      changed.release();
    }
  }

  private void run() {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        if (changed.tryAcquire(AGAIN_SECONDS, TimeUnit.SECONDS)) {
          changed.drainPermits();
        }
        reconcile();
      } catch (InterruptedException closed) {
        return;
      } catch (IllegalStateException failed) {
        // The next round does what this one didn't.
      }
    }
  }

  private void reconcile() {
    Map<String, String> want = wanted.contents();
    Map<String, String> have = actual.contents();
    want.forEach(
        (key, value) -> {
          String target = "actual/" + key.substring("wanted/".length());
          if (!value.equals(have.get(target))) {
            answer(client.getKVClient().put(bytes(target), bytes(value)));
          }
        });
    for (String key : have.keySet()) {
      if (!want.containsKey("wanted/" + key.substring("actual/".length()))) {
        answer(client.getKVClient().delete(bytes(key)));
      }
    }
  }

  @Override
  public void close() {
    loop.interrupt();
    wanted.close();
    actual.close();
  }
}
