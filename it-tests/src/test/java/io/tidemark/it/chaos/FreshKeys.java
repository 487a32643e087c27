package io.tidemark.it.chaos;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.PutResponse;
import io.tidemark.it.client.Attempt;
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.process.Await;
import io.tidemark.it.process.Patience;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients that write a new key with every put, as fast as they are answered. Values follow from
 * their keys. A thread per client; after a failure it pauses, and never uses that key again.
 */
final class FreshKeys implements AutoCloseable {
  /** One acknowledged put. */
  record Written(String key, long revision) {}

  private static final Duration LAST_ATTEMPT = Duration.ofSeconds(30);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final ConcurrentLinkedQueue<Written> acknowledged = new ConcurrentLinkedQueue<>();
  private final AtomicInteger count = new AtomicInteger();
  private final List<Thread> clients = new ArrayList<>();
  private final int valueBytes;
  private volatile boolean stopped;

  private FreshKeys(int valueBytes) {
    this.valueBytes = valueBytes;
  }

  /**
   * Starts clients in turn on the given members.
   *
   * @param name prefix of all keys; unique within a cluster
   */
  static FreshKeys start(String name, List<MemberClient> members, int clients, int valueBytes) {
    FreshKeys keys = new FreshKeys(valueBytes);
    for (int i = 0; i < clients; i++) {
      MemberClient member = members.get(i % members.size());
      String prefix = name + i + "-";
      Thread thread = new Thread(() -> keys.run(member, prefix), "it-fresh-" + prefix);
      thread.setDaemon(true);
      thread.start();
      keys.clients.add(thread);
    }
    return keys;
  }

  /** The value that goes with a key. */
  static ByteString value(String key, int valueBytes) {
    byte[] value = new byte[valueBytes];
    Arrays.fill(value, (byte) key.hashCode());
    byte[] name = key.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(name, 0, value, 0, name.length);
    return ByteString.copyFrom(value);
  }

  private void run(MemberClient member, String prefix) {
    for (int n = 0; !stopped; n++) {
      String key = prefix + n;
      Attempt<PutResponse> attempt =
          member.put(
              PutRequest.newBuilder()
                  .setKey(ByteString.copyFromUtf8(key))
                  .setValue(value(key, valueBytes))
                  .build());
      if (attempt.answered()) {
        acknowledged.add(new Written(key, attempt.answer().getHeader().getRevision()));
        count.incrementAndGet();
      } else if (!stopped) {
        LockSupport.parkNanos(PAUSE_NANOS);
        member.redial();
      }
    }
  }

  /** Blocks until this many more puts were acknowledged. */
  void awaitAcknowledged(int more, Duration limit) {
    int target = count.get() + more;
    Await.until(more + " more puts", limit, () -> count.get() >= target);
  }

  /** Puts acknowledged so far. */
  int acknowledged() {
    return count.get();
  }

  /** Stops the clients and waits until their last attempts have ended. */
  List<Written> stop() {
    stopped = true;
    for (Thread client : clients) {
      try {
        client.join(Patience.stretch(LAST_ATTEMPT).toMillis());
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted while stopping clients", interrupted);
      }
      if (client.isAlive()) {
        throw new AssertionError(client.getName() + " does not end");
      }
    }
    return List.copyOf(acknowledged);
  }

  @Override
  public void close() {
    stopped = true;
  }
}
