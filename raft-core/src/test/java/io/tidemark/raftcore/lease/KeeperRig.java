package io.tidemark.raftcore.lease;

import com.codahale.metrics.MetricRegistry;
import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.AlarmRequest;
import io.tidemark.api.etcdserverpb.AlarmRequest.AlarmAction;
import io.tidemark.api.etcdserverpb.AlarmType;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.mvcc.MvccLimits;
import io.tidemark.mvcc.MvccStore;
import io.tidemark.raftcore.peer.SendResult;
import io.tidemark.statemachine.AppliedEntry;
import io.tidemark.statemachine.BatchId;
import io.tidemark.statemachine.Command;
import io.tidemark.statemachine.CommandMachine;
import io.tidemark.statemachine.EntryCodec;
import io.tidemark.statemachine.Genesis;
import io.tidemark.statemachine.Outcome;
import io.tidemark.statemachine.auth.Authority;
import io.tidemark.statemachine.lease.LeaseExpiry;
import io.tidemark.statemachine.lease.LeaseTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A keeper over a real machine, with a log and a time that the test moves by hand. */
final class KeeperRig implements LeaderLog, LeaseThread, LeaseState, AutoCloseable {
  static final Duration ELECTION = Duration.ofSeconds(1);

  final Deque<Sent> sent = new ArrayDeque<>();
  final LeaseClock clock;
  final LeaseCounters counters = new LeaseCounters(new MetricRegistry());
  final LeaseKeeper keeper;
  final CommandMachine machine;
  private final MvccStore store;
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private final List<Delayed> delayed = new ArrayList<>();
  private long nanos = 1_000_000_000L;
  private long term = -1;
  private long index = -1;

  KeeperRig(Path directory) {
    store = MvccStore.open(directory, MvccLimits.defaults());
    machine = new CommandMachine(store, new Genesis(1, List.of()), new Authority());
    clock = new LeaseClock(() -> nanos, machine.leases().clock());
    keeper = new LeaseKeeper(this, this, clock, ELECTION, new BatchId(7, 8, 0), this, counters);
  }

  /** An entry that the keeper wants in the log. */
  record Sent(ByteString entry, long inTerm, CompletableFuture<SendResult> answer) {
    List<Command> commands() {
      return EntryCodec.decode(entry).commands();
    }

    List<LeaseExpiry> expiries() {
      return commands().stream()
          .filter(Command.ExpireLease.class::isInstance)
          .map(command -> ((Command.ExpireLease) command).expiry())
          .toList();
    }
  }

  private record Delayed(long at, Runnable task) {}

  /** This member leads from now on, or -1, doesn't. */
  void lead(long newTerm) {
    term = newTerm;
    keeper.lookSoon();
    run();
  }

  /** Time passes in ticks, as on a member that isn't held up. */
  void pass(long millis) {
    for (long left = millis; left > 0; left -= LeaseKeeper.TICK_MILLIS) {
      stall(Math.min(left, LeaseKeeper.TICK_MILLIS));
    }
  }

  /** Time passes, and this member sleeps. Then it ticks. */
  void stall(long millis) {
    awaken(millis);
    tasks.add(keeper::tick);
    run();
  }

  /** Time passes, less than a tick. */
  void passLittle(long millis) {
    awaken(millis);
    run();
  }

  private void awaken(long millis) {
    nanos += TimeUnit.MILLISECONDS.toNanos(millis);
    List<Delayed> due = delayed.stream().filter(d -> d.at <= nanos).toList();
    delayed.removeAll(due);
    due.forEach(d -> tasks.add(d.task));
  }

  /** Applies what the keeper has sent, and what that leads to, until nothing comes any more. */
  void settle() {
    run();
    while (!sent.isEmpty()) {
      land(sent.remove());
    }
  }

  /** Passes time and lets every entry through. */
  void live(long millis) {
    for (long left = millis; left > 0; left -= LeaseKeeper.TICK_MILLIS) {
      stall(Math.min(left, LeaseKeeper.TICK_MILLIS));
      settle();
    }
  }

  /** The entry is committed and applied here. */
  List<Outcome> land(Sent entry) {
    List<Outcome> outcomes = apply(entry.entry);
    entry.answer.complete(SendResult.DONE);
    run();
    return outcomes;
  }

  /** An entry that came from somewhere, perhaps of another leader's term. */
  List<Outcome> apply(ByteString entry) {
    AppliedEntry applied = machine.apply(Math.max(term, 0), ++index, entry);
    if (applied.leases().clock() >= 0) {
      clock.heard(applied.leases().clock());
    }
    counters.count(applied.leases(), machine.leases());
    keeper.onApplied(applied);
    run();
    return applied.outcomes();
  }

  List<Outcome> apply(Command... commands) {
    return apply(
        EntryCodec.encode(
            new BatchId(1, 1, index + 1),
            List.of(commands).stream().map(Command::encoded).toList()));
  }

  void grant(long id, long ttl) {
    apply(new Command.LeaseGrant(LeaseGrantRequest.newBuilder().setID(id).setTTL(ttl).build()));
  }

  /** So many keys with a lease, in one entry. */
  void put(String prefix, int keys, long lease) {
    Command[] puts = new Command[keys];
    for (int key = 0; key < keys; key++) {
      puts[key] =
          new Command.Put(
              PutRequest.newBuilder()
                  .setKey(ByteString.copyFromUtf8(prefix + key))
                  .setLease(lease)
                  .build());
    }
    apply(puts);
  }

  /** The test's time. */
  long millis() {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }

  boolean lives(long id) {
    return machine.leases().find(id) != null;
  }

  void run() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  @Override
  public LeaseTable leases() {
    return machine.leases();
  }

  @Override
  public boolean frozen() {
    return machine.alarms().raised(AlarmType.CORRUPT);
  }

  /** Raises an alarm, or takes it back. */
  void alarm(AlarmType type, AlarmAction action) {
    apply(
        new Command.Alarm(
            AlarmRequest.newBuilder().setAction(action).setMemberID(1).setAlarm(type).build()));
  }

  @Override
  public long leadingTerm() {
    return term;
  }

  @Override
  public CompletableFuture<SendResult> submit(ByteString entry) {
    Sent submitted = new Sent(entry, term, new CompletableFuture<>());
    sent.add(submitted);
    return submitted.answer;
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  @Override
  public void schedule(Runnable task, long delayNanos) {
    delayed.add(new Delayed(nanos + delayNanos, task));
  }

  @Override
  public void close() {
    store.close();
  }
}
