package io.tidemark.raftcore.propose;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.protobuf.ByteString;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.raftcore.metrics.WriteMetrics;
import io.tidemark.raftcore.peer.SendResult;
import io.tidemark.raftcore.settings.RaftLimits;
import io.tidemark.statemachine.AppliedEntry;
import io.tidemark.statemachine.BatchId;
import io.tidemark.statemachine.BatchWindow;
import io.tidemark.statemachine.EntryCodec;
import io.tidemark.statemachine.Outcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Coalesces commands into entries, gets each entry applied once, and completes the callers from
 * this member's own apply.
 *
 * <p>An idle proposer sends at once; while entries are in flight the next one fills. An entry whose
 * attempt failed, or whose leader was lost, is sent again when there is a leader: the state machine
 * tells a second copy by its {@link BatchWindow}, which this proposer never outruns. Every command
 * ends at its deadline: "not started" if it can't be in any log, else "unknown".
 *
 * <p>Queue bound: bytes; policy: refuse with "too many requests". Thread-safe; {@link #propose}
 * doesn't block. Callers' futures complete on the completion executor, in apply order.
 */
public final class Proposer {
  /** With at least so much waiting, more than two entries may be in flight. */
  private static final int DEEP_BYTES = 128 << 10;

  private static final int DEEP_COMMANDS = 64;

  private final long memberId;
  private final long incarnation;
  private final RaftLimits limits;
  private final Route route;
  private final Executor completions;
  private final WriteMetrics metrics;
  private final Settlement settlement;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();

  @GuardedBy("lock")
  private final Backlog backlog = new Backlog();

  @GuardedBy("lock")
  private final Deadlines deadlines;

  @GuardedBy("lock")
  private final Deque<Batch> sendable = new ArrayDeque<>();

  @GuardedBy("lock")
  private final InFlight inFlight = new InFlight();

  @GuardedBy("lock")
  private long nextSequence = 1;

  @GuardedBy("lock")
  private boolean closed;

  @GuardedBy("lock")
  private boolean stopped;

  /**
   * A proposer that isn't started yet.
   *
   * @param name the member's name, for the thread
   * @param run this run of the member: its id and incarnation; the sequence is ignored
   */
  public Proposer(
      String name,
      BatchId run,
      RaftLimits limits,
      Duration timeout,
      Route route,
      Executor completions,
      WriteMetrics metrics) {
    this.memberId = run.memberId();
    this.incarnation = run.incarnation();
    this.limits = limits;
    this.deadlines = new Deadlines(timeout);
    this.route = route;
    this.completions = completions;
    this.metrics = metrics;
    this.settlement = new Settlement(completions, metrics);
    this.thread = new Thread(this::run, "tidemark-" + name + "-propose");
    this.thread.setDaemon(true);
  }

  /** Starts the thread. */
  public void start() {
    thread.start();
  }

  /** Takes a command. The future never completes exceptionally. */
  public CompletableFuture<ProposalResult> propose(ByteString encoded) {
    lock.lock();
    try {
      if (closed) {
        return refused(EtcdError.STOPPED);
      }
      if (backlog.bytes() + encoded.size() > limits.queueBytes()) {
        return refused(EtcdError.TOO_MANY_REQUESTS);
      }
      Pending pending = deadlines.begin(encoded);
      backlog.add(pending);
      if (mayForm()) {
        work.signal();
      }
      return pending.future;
    } finally {
      lock.unlock();
    }
  }

  /** What it has now. */
  public Waiting waiting() {
    lock.lock();
    try {
      return new Waiting(backlog.size() + inFlight.commands(), backlog.bytes());
    } finally {
      lock.unlock();
    }
  }

  /**
   * An entry was applied here. Thread: apply.
   *
   * @param beganNanos when applying it began, on the clock of {@link System#nanoTime}
   * @param endedNanos when it was over
   */
  public void onApplied(AppliedEntry entry, long beganNanos, long endedNanos) {
    BatchId id = entry.id();
    if (id.memberId() != memberId || id.incarnation() != incarnation) {
      return;
    }
    Batch batch;
    lock.lock();
    try {
      batch = inFlight.get(id.sequence());
      if (batch == null) {
        return;
      }
      end(batch);
    } finally {
      lock.unlock();
    }
    settlement.settle(
        batch, entry.outcomes(), new WriteTimes(batch.sentNanos, beganNanos, endedNanos));
  }

  /**
   * The store was replaced by a snapshot: what is inside, nobody will see applied. The rest is
   * still on its way. Thread: apply.
   *
   * @param remembered what the restored store knows of a batch
   */
  public void onRestored(Function<BatchId, Optional<List<Outcome>>> remembered) {
    List<Batch> all;
    lock.lock();
    try {
      all = List.copyOf(inFlight.all());
    } finally {
      lock.unlock();
    }
    for (Batch batch : all) {
      remembered
          .apply(new BatchId(memberId, incarnation, batch.sequence))
          .ifPresent(
              outcomes -> {
                lock.lock();
                try {
                  end(batch);
                } finally {
                  lock.unlock();
                }
                long now = System.nanoTime();
                settlement.settle(batch, outcomes, new WriteTimes(batch.sentNanos, now, now));
              });
    }
  }

  /** A leader came, went or became ready: what is parked may have a way now. */
  public void onLeaderEvent() {
    String leader = route.leader();
    lock.lock();
    try {
      for (Batch batch : inFlight.all()) {
        if (batch.state == Batch.State.PARKED) {
          if (leader != null && !sendable.contains(batch)) {
            sendable.add(batch);
          }
        } else if (batch.state == Batch.State.SENDING
            && leader != null
            && !leader.equals(batch.target)) {
          // The old leader may never answer.
          batch.doubt();
          sendable.add(batch);
        }
      }
      work.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Called several times a second: ends what is overdue and tries again what was refused. */
  public void tick() {
    Completions ended = new Completions();
    long now = System.nanoTime();
    lock.lock();
    try {
      for (Pending overdue : deadlines.takeOverdue(now)) {
        expire(overdue, ended, EtcdError.TIMEOUT);
      }
    } finally {
      lock.unlock();
    }
    ended.run(completions);
    onLeaderEvent();
  }

  /** From now on commands are refused; those on their way go on. */
  public void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
  }

  /** Ends everything that still waits, and the thread. */
  public void stop() {
    Completions ended = new Completions();
    lock.lock();
    try {
      closed = true;
      stopped = true;
      for (Pending pending : deadlines.takeAll()) {
        expire(pending, ended, EtcdError.STOPPED);
      }
      work.signalAll();
    } finally {
      lock.unlock();
    }
    ended.run(completions);
  }

  private void run() {
    try {
      while (true) {
        Batch batch;
        lock.lock();
        try {
          for (batch = next(); batch == null; batch = next()) {
            if (stopped) {
              return;
            }
            work.await();
          }
        } finally {
          lock.unlock();
        }
        send(batch);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @GuardedBy("lock")
  private @Nullable Batch next() {
    for (Batch batch = sendable.poll(); batch != null; batch = sendable.poll()) {
      if (batch.state == Batch.State.PARKED) {
        return batch;
      }
    }
    return mayForm() ? form() : null;
  }

  @GuardedBy("lock")
  private boolean mayForm() {
    Pending head = backlog.head();
    if (head == null) {
      return false;
    }
    int active = inFlight.count();
    if (active == 0) {
      return true;
    }
    if (nextSequence - inFlight.oldest(nextSequence) >= BatchWindow.SIZE) {
      return false; // the oldest may have to be sent again, and be told apart
    }
    if (inFlight.bytes() + head.size > limits.inFlightBytes()) {
      return false;
    }
    if (active < 2) {
      return true;
    }
    return active < limits.maxBatchesInFlight()
        && (backlog.bytes() >= DEEP_BYTES || backlog.size() >= DEEP_COMMANDS);
  }

  @GuardedBy("lock")
  private Batch form() {
    long overhead = EntryCodec.overheadBytes();
    List<Pending> commands = backlog.take(limits.batchBytes() - overhead);
    long bytes = overhead + commands.stream().mapToLong(c -> c.size).sum();
    Batch batch = new Batch(nextSequence++, commands, bytes);
    commands.forEach(c -> c.batch = batch);
    inFlight.add(batch);
    return batch;
  }

  private void send(Batch batch) {
    String leader = route.leader();
    if (leader == null) {
      return; // parked until a leader event
    }
    ByteString entry = encode(batch);
    long now = System.nanoTime();
    int attempt;
    lock.lock();
    try {
      if (batch.state != Batch.State.PARKED) {
        return;
      }
      if (batch.sentNanos == 0) {
        batch.sentNanos = now;
        metrics.sent(batch.commands.size(), now - deadlines.begun(batch.commands.get(0)));
      }
      batch.state = Batch.State.SENDING;
      batch.target = leader;
      batch.entry = entry;
      attempt = ++batch.attempt;
    } finally {
      lock.unlock();
    }
    long left = batch.commands.get(batch.commands.size() - 1).deadlineNanos - now;
    var unused =
        route.send(leader, entry, left).thenAccept(result -> onAnswer(batch, attempt, result));
  }

  /** Only the proposer thread encodes, so the commands' bytes are still there or the entry is. */
  private ByteString encode(Batch batch) {
    List<ByteString> encoded;
    lock.lock();
    try {
      if (batch.entry != null) {
        return batch.entry;
      }
      encoded = batch.seal();
    } finally {
      lock.unlock();
    }
    return EntryCodec.encode(new BatchId(memberId, incarnation, batch.sequence), encoded);
  }

  private void onAnswer(Batch batch, int attempt, SendResult result) {
    lock.lock();
    try {
      batch.answered(attempt, result);
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void end(Batch batch) {
    inFlight.remove(batch);
    batch.state = Batch.State.OVER;
    batch.entry = null;
    batch.commands.forEach(c -> c.settled = true);
    work.signal();
  }

  @GuardedBy("lock")
  private void expire(Pending pending, Completions ended, EtcdError error) {
    metrics.commandFailed();
    pending.settled = true;
    Batch batch = pending.batch;
    if (batch == null) {
      backlog.remove(pending);
      ended.add(pending, new ProposalResult.NotStarted(error));
      return;
    }
    ended.add(pending, batch.giveUp(pending, error));
    if (batch.waiting == 0) {
      end(batch);
    }
  }

  private CompletableFuture<ProposalResult> refused(EtcdError error) {
    metrics.commandFailed();
    return CompletableFuture.completedFuture(new ProposalResult.NotStarted(error));
  }
}
