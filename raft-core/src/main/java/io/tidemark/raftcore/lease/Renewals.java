package io.tidemark.raftcore.lease;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.statemachine.lease.LeaseRenewals.Renewal;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Renewals that wait for the leader's next entry, in groups as they were asked for.
 *
 * <p>Bound: leases; policy: refuse, and the member that asked tries again. Thread-safe.
 */
final class Renewals {
  private static final int WAITING_MAX = 1 << 19;

  @GuardedBy("this")
  private final Deque<Group> waiting = new ArrayDeque<>();

  @GuardedBy("this")
  private int leases;

  @GuardedBy("this")
  private boolean closed;

  /** A group; its future completes with the granted TTL of each lease, 0 for none. */
  synchronized CompletableFuture<long[]> add(long[] ids, long clock) {
    if (closed || leases + ids.length > WAITING_MAX) {
      return CompletableFuture.failedFuture(new NotRenewedException());
    }
    Group group = new Group(ids, clock, new CompletableFuture<>());
    waiting.add(group);
    leases += ids.length;
    return group.future;
  }

  synchronized boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Takes whole groups, at least one if there is one, up to about {@code wanted} leases. */
  synchronized List<Group> take(int wanted) {
    List<Group> taken = new ArrayList<>();
    int count = 0;
    while (!waiting.isEmpty() && (taken.isEmpty() || count + waiting.peek().ids.length <= wanted)) {
      Group group = waiting.remove();
      taken.add(group);
      count += group.ids.length;
    }
    leases -= count;
    return taken;
  }

  /** Fails all that wait. */
  void fail() {
    take(Integer.MAX_VALUE).forEach(Group::fail);
  }

  /** Fails all that wait, and all that come. */
  void close() {
    synchronized (this) {
      closed = true;
    }
    fail();
  }

  /**
   * Leases that were asked for together.
   *
   * @param clock when that was
   */
  record Group(long[] ids, long clock, CompletableFuture<long[]> future) {
    /**
     * Adds its renewals.
     *
     * @param latest the entry's own time; a group that came just before this member took over has
     *     its time from a clock that may have been ahead
     */
    void addTo(List<Renewal> renewals, long latest) {
      for (long id : ids) {
        renewals.add(new Renewal(id, Math.min(clock, latest)));
      }
    }

    /** Reads this group's share of what applying gave; tells how many of its leases live. */
    int complete(ByteBuffer ttls) {
      long[] mine = new long[ids.length];
      int alive = 0;
      for (int i = 0; i < mine.length; i++) {
        mine[i] = ttls.getLong();
        alive += mine[i] > 0 ? 1 : 0;
      }
      future.complete(mine);
      return alive;
    }

    void fail() {
      future.completeExceptionally(new NotRenewedException());
    }
  }
}
