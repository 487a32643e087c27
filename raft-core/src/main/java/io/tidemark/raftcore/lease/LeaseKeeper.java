package io.tidemark.raftcore.lease;

import com.google.protobuf.ByteString;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.raftcore.peer.SendResult;
import io.tidemark.statemachine.AppliedEntry;
import io.tidemark.statemachine.BatchId;
import io.tidemark.statemachine.Command;
import io.tidemark.statemachine.EntryCodec;
import io.tidemark.statemachine.Outcome;
import io.tidemark.statemachine.lease.Lease;
import io.tidemark.statemachine.lease.LeaseExpiry;
import io.tidemark.statemachine.lease.LeaseRenewals;
import io.tidemark.statemachine.lease.LeaseRenewals.Renewal;
import io.tidemark.statemachine.lease.LeaseTable;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The leader's work for leases: puts renewals, its clock and expired leases into the log, in
 * entries of their own that pass by everything the proposer has waiting.
 *
 * <p>One entry is on its way at a time; it holds what came together meanwhile. So an expiry is
 * always judged on a table that holds every renewal this leader has logged, and renewals go first.
 * On a member that doesn't lead it only looks whether it does. All state belongs to the lease
 * thread; {@link #renew} and {@link #onApplied} may be called from any.
 */
public final class LeaseKeeper {
  /** How often expired leases are looked for. */
  public static final long TICK_MILLIS = 100;

  /** The longest time between two words of the clock while there are leases. */
  private static final long CLOCK_MILLIS = 1000;

  /** Entries for renewals leave at most this often: more only cost, as each is answered in time. */
  private static final long GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** Some milliseconds on the apply thread. */
  private static final int ENTRY_RENEWALS = 2048;

  /** Each deletes its keys on the apply thread, so an entry holds it up for some milliseconds. */
  private static final int ENTRY_EXPIRIES = 128;

  /**
   * Entries with expiries leave at most this often, so that a crowd that ends together, at more
   * than ten thousand a second, leaves time for everything else on the log and on the apply thread.
   */
  private static final long EXPIRY_NANOS = TimeUnit.MILLISECONDS.toNanos(12);

  private static final long NOBODY = -1;

  private final LeaderLog log;
  private final LeaseState state;
  private final LeaseClock clock;
  private final long stallNanos;
  private final BatchId run;
  private final LeaseThread thread;
  private final LeaseCounters counters;
  private final Renewals renewals = new Renewals();
  private final AtomicBoolean called = new AtomicBoolean();

  private final DueTimes due = new DueTimes();

  /** Grants whose time the log doesn't know yet. */
  private final Deque<Renewal> seenGrants = new ArrayDeque<>();

  private long term = NOBODY;
  private long sequence;
  private @Nullable Flight flight;
  private long lastSentNanos;
  private long lastExpiryNanos;

  /** The last entry had no room for all that was over. */
  private boolean moreExpired;

  private long lastClock;
  private long lastTickNanos;
  private long noExpiryUntilNanos;

  /**
   * A keeper that isn't started.
   *
   * @param election the election time-out; who sleeps for half of it waits as long before it
   *     believes its clock again
   * @param run names this run's entries; its sequence is ignored, and the entries' own are negative
   * @param thread one thread, the owner of this object
   * @param counters hear of renewals
   */
  public LeaseKeeper(
      LeaderLog log,
      LeaseState state,
      LeaseClock clock,
      Duration election,
      BatchId run,
      LeaseThread thread,
      LeaseCounters counters) {
    this.log = log;
    this.state = state;
    this.clock = clock;
    this.stallNanos = election.toNanos() / 2;
    this.run = run;
    this.thread = thread;
    this.counters = counters;
    this.lastTickNanos = clock.nanos();
    this.noExpiryUntilNanos = lastTickNanos;
    this.lastExpiryNanos = lastTickNanos - EXPIRY_NANOS;
  }

  /** Renews leases, from now on. Exceptional when this member couldn't; ask again then. */
  public CompletableFuture<long[]> renew(long[] ids) {
    CompletableFuture<long[]> future = renewals.add(ids, clock.now());
    lookSoon();
    return future;
  }

  /** An entry was applied here, with effect on leases or proposed by this keeper. Thread: apply. */
  public void onApplied(AppliedEntry entry) {
    boolean own =
        entry.id().memberId() == run.memberId()
            && entry.id().incarnation() == run.incarnation()
            && entry.id().sequence() < 0; // the others are the proposer's
    List<Long> granted = entry.leases().granted();
    if (own || !granted.isEmpty()) {
      thread.execute(() -> applied(entry, own, granted));
    }
  }

  /** Looks whether this member leads, and does what is due. Thread: lease. */
  public void tick() {
    long now = clock.nanos();
    if (now - lastTickNanos > stallNanos) {
      // We slept; so did those who came with renewals. Let them in first.
      noExpiryUntilNanos = now + stallNanos;
    }
    lastTickNanos = now;
    step();
  }

  /** Fails everything that waits, and all that comes. Thread: any. */
  public void close() {
    renewals.close();
  }

  /** Has the lease thread look whether there is something to do. Thread: any. */
  public void lookSoon() {
    if (called.compareAndSet(false, true)) {
      thread.execute(this::look);
    }
  }

  private void step() {
    long leading = log.leadingTerm();
    if (leading != term) {
      changeTerm(leading);
    }
    if (term == NOBODY) {
      renewals.fail();
    } else if (flight == null) {
      send();
    }
  }

  private void changeTerm(long leading) {
    term = leading;
    due.clear();
    seenGrants.clear();
    Flight lost = flight;
    flight = null;
    if (lost != null) {
      lost.fail();
    }
    if (leading == NOBODY) {
      clock.follow();
      return;
    }
    LeaseTable leases = state.leases();
    clock.lead(leases.clock());
    lastClock = clock.now() - CLOCK_MILLIS;
    leases.forEach(this::watch);
  }

  /** Sees to it that the lease is looked at when it may be over. */
  private void watch(long id, Lease lease) {
    long now = clock.now();
    if (!lease.isLogged()) {
      seenGrants.add(new Renewal(id, now));
    }
    due.add(lease.expiresAt(lease.isLogged() ? lease.renewedAt() : now), id);
  }

  private void applied(AppliedEntry entry, boolean own, List<Long> granted) {
    if (term != NOBODY) {
      LeaseTable leases = state.leases();
      for (long id : granted) {
        Lease lease = leases.find(id);
        if (lease != null) {
          watch(id, lease);
        }
      }
    }
    Flight current = flight;
    if (own && current != null && entry.id().sequence() == current.sequence) {
      current.outcomes = entry.outcomes();
    }
  }

  private void send() {
    long nanos = clock.nanos();
    long now = clock.now();
    long rest = lastExpiryNanos + EXPIRY_NANOS - nanos;
    boolean none = rest > 0 || nanos - noExpiryUntilNanos < 0 || state.frozen();
    List<LeaseExpiry> expiries = none ? List.of() : expiries(now);
    boolean clockDue = now - lastClock >= CLOCK_MILLIS && state.leases().size() > 0;
    boolean full = seenGrants.size() >= ENTRY_RENEWALS;
    if (expiries.isEmpty() && !clockDue && !full) {
      if (renewals.isEmpty()) {
        if (moreExpired && rest > 0) {
          later(rest);
        }
        return;
      }
      long wait = lastSentNanos + GATHER_NANOS - nanos;
      if (wait > 0) {
        later(wait);
        return;
      }
    }
    if (!expiries.isEmpty()) {
      lastExpiryNanos = nanos;
      moreExpired = expiries.size() >= ENTRY_EXPIRIES;
    }
    launch(nanos, Math.max(now, clock.now()), expiries);
  }

  /**
   * Sends an entry.
   *
   * @param told the time that it tells; groups may have come after an earlier look at the clock
   */
  private void launch(long nanos, long told, List<LeaseExpiry> expiries) {
    List<Renewals.Group> groups = renewals.take(ENTRY_RENEWALS);
    List<Renewal> all = new ArrayList<>();
    groups.forEach(group -> group.addTo(all, told));
    List<Renewal> grants = new ArrayList<>();
    while (!seenGrants.isEmpty() && all.size() + grants.size() < ENTRY_RENEWALS) {
      grants.add(seenGrants.remove());
    }
    all.addAll(grants);
    List<ByteString> commands = new ArrayList<>(1 + expiries.size());
    commands.add(new Command.RenewLeases(new LeaseRenewals(term, told, all)).encoded());
    expiries.forEach(expiry -> commands.add(new Command.ExpireLease(expiry).encoded()));
    Flight sent = new Flight(--sequence, groups, grants, expiries);
    flight = sent;
    lastSentNanos = nanos;
    lastClock = told;
    ByteString entry =
        EntryCodec.encode(new BatchId(run.memberId(), run.incarnation(), sent.sequence), commands);
    var unused = log.submit(entry).thenAccept(result -> thread.execute(() -> landed(sent, result)));
  }

  private void later(long nanos) {
    if (called.compareAndSet(false, true)) {
      thread.schedule(this::look, nanos);
    }
  }

  private void look() {
    called.set(false);
    step();
  }

  /** What is over at {@code now}; the log has the last word. */
  private List<LeaseExpiry> expiries(long now) {
    List<LeaseExpiry> found = new ArrayList<>();
    LeaseTable leases = state.leases();
    due.takeDue(
        now,
        id -> {
          Lease lease = leases.find(id);
          if (lease == null) {
            return true;
          }
          if (lease.remainingMillis(now) > 0) {
            due.add(lease.isLogged() ? lease.expiresAt(lease.renewedAt()) : now + CLOCK_MILLIS, id);
            return true;
          }
          found.add(new LeaseExpiry(term, now, id, lease.renewedAt()));
          // Looked at again in case this attempt comes to nothing.
          due.add(now + CLOCK_MILLIS, id);
          return found.size() < ENTRY_EXPIRIES;
        });
    return found;
  }

  private void landed(Flight landed, SendResult result) {
    if (flight != landed) {
      return; // given up when the term changed
    }
    flight = null;
    List<Outcome> outcomes = landed.outcomes;
    if (result == SendResult.DONE
        && outcomes != null
        && outcomes.get(0) instanceof Outcome.Done done) {
      ByteBuffer ttls = done.response().asReadOnlyByteBuffer();
      landed.groups.forEach(group -> counters.countRenewed(group.complete(ttls)));
      putBack(landed.expiries, outcomes.subList(1, outcomes.size()));
    } else {
      landed.fail();
      seenGrants.addAll(landed.grants);
    }
    step();
  }

  /** Those for which there was no room in the entry come first in the next. */
  private void putBack(List<LeaseExpiry> expiries, List<Outcome> outcomes) {
    for (int i = 0; i < expiries.size(); i++) {
      if (outcomes.get(i) instanceof Outcome.Rejected rejected
          && rejected.error() == EtcdError.TOO_MANY_REQUESTS) {
        moreExpired = true;
        due.add(expiries.get(i).clock(), expiries.get(i).id());
      }
    }
  }

  /** An entry on its way. */
  private static final class Flight {
    final long sequence;
    final List<Renewals.Group> groups;
    final List<Renewal> grants;
    final List<LeaseExpiry> expiries;
    @Nullable List<Outcome> outcomes;

    Flight(
        long sequence,
        List<Renewals.Group> groups,
        List<Renewal> grants,
        List<LeaseExpiry> expiries) {
      this.sequence = sequence;
      this.groups = groups;
      this.grants = grants;
      this.expiries = expiries;
    }

    void fail() {
      groups.forEach(Renewals.Group::fail);
    }
  }
}
