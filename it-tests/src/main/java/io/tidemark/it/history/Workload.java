package io.tidemark.it.history;

import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.process.Await;
import io.tidemark.it.process.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients that put, delete, swap and read a few keys through given members until they are stopped,
 * and the history of what they tried. A thread per client; a client whose attempt failed pauses
 * before the next, so that a dead member doesn't fill the history.
 */
public final class Workload implements AutoCloseable {
  /** What the clients of a workload do. */
  public enum Mix {
    /** Puts, deletes, swaps and both kinds of reads. */
    EVERYTHING,
    /** Linearizable reads. */
    READS,
    /** Puts. */
    PUTS
  }

  private static final Duration LAST_ATTEMPT = Duration.ofSeconds(30);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final ConcurrentLinkedQueue<Operation> history = new ConcurrentLinkedQueue<>();
  private final AtomicLong acknowledged = new AtomicLong();
  private final AtomicInteger attempts = new AtomicInteger();
  private final List<Thread> clients = new ArrayList<>();
  private final String name;
  private final Mix mix;
  private final int keys;
  private final long seed;
  private volatile long thinkNanos;
  private volatile boolean stopped;

  private Workload(String name, Mix mix, int keys, long seed) {
    this.name = name;
    this.mix = mix;
    this.keys = keys;
    this.seed = seed;
  }

  /**
   * Starts clients that do everything, in turn on the given members.
   *
   * @param name prefix of all values; unique within a cluster
   * @param keys how many keys they share
   */
  public static Workload start(
      String name, List<MemberClient> members, int clients, int keys, long seed) {
    return start(name, Mix.EVERYTHING, members, clients, keys, seed);
  }

  /** Starts clients that do what the mix says. */
  public static Workload start(
      String name, Mix mix, List<MemberClient> members, int clients, int keys, long seed) {
    Workload workload = new Workload(name, mix, keys, seed);
    for (int i = 0; i < clients; i++) {
      int client = i;
      MemberClient member = members.get(i % members.size());
      Recorder recorder = new Recorder(name + client, member, workload::record);
      Thread thread =
          new Thread(() -> workload.run(client, member, recorder), "it-client-" + name + client);
      thread.setDaemon(true);
      thread.start();
      workload.clients.add(thread);
    }
    return workload;
  }

  /** From now on each client waits this long after an answer, at random up to twice as long. */
  public Workload think(Duration mean) {
    thinkNanos = mean.toNanos();
    return this;
  }

  private void record(Operation operation) {
    history.add(operation);
    attempts.incrementAndGet();
    operation
        .outcome()
        .done()
        .filter(Outcome.Done::changed)
        .ifPresent(done -> acknowledged.incrementAndGet());
  }

  private void run(int client, MemberClient member, Recorder recorder) {
    Random random = new Random(seed * 31 + client);
    long lastMod = 0;
    for (int n = 0; !stopped; n++) {
      String key = "key" + random.nextInt(keys);
      String value = name + client + "-" + n;
      Outcome outcome = attempt(recorder, random, key, value, lastMod);
      Optional<Outcome.Done> done = outcome.done();
      lastMod = done.flatMap(Outcome.Done::found).map(KeyValue::getModRevision).orElse(0L);
      if (done.isEmpty() && !stopped) {
        LockSupport.parkNanos(PAUSE_NANOS);
        member.redial();
      } else if (thinkNanos > 0) {
        LockSupport.parkNanos((long) (2 * thinkNanos * random.nextDouble()));
      }
    }
  }

  private Outcome attempt(
      Recorder recorder, Random random, String key, String value, long lastMod) {
    return switch (mix) {
      case READS -> recorder.read(key, false);
      case PUTS -> recorder.put(key, value);
      case EVERYTHING ->
          switch (random.nextInt(10)) {
            case 0 -> recorder.delete(key);
            case 1, 2 -> recorder.swap(key, lastMod, value);
            case 3, 4, 5 -> recorder.read(key, false);
            case 6 -> recorder.read(key, true);
            default -> recorder.put(key, value);
          };
    };
  }

  /** How many attempts have ended so far. */
  public int attempts() {
    return attempts.get();
  }

  /** Blocks until this many more attempts have ended, however. */
  public Workload awaitAttempts(int more, Duration limit) {
    int target = attempts() + more;
    Await.until(more + " more attempts of " + name, limit, () -> attempts() >= target);
    return this;
  }

  /** Blocks until this many more changes were acknowledged. */
  public Workload awaitChanges(int more, Duration limit) {
    long target = acknowledged() + more;
    Await.until(more + " more changes of " + name, limit, () -> acknowledged() >= target);
    return this;
  }

  /** How many changes were acknowledged so far. */
  public long acknowledged() {
    return acknowledged.get();
  }

  /** Stops the clients and waits until their last attempts have ended. */
  public List<Operation> stop() {
    stopped = true;
    clients.forEach(LockSupport::unpark);
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
    return List.copyOf(history);
  }

  @Override
  public void close() {
    stopped = true;
  }
}
