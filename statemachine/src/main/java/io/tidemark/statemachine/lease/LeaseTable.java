package io.tidemark.statemachine.lease;

import io.tidemark.mvcc.MvccStore;
import io.tidemark.mvcc.ReadView;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The leases of a store as of its last entry, in memory, without their keys.
 *
 * <p>Written by the apply thread after each commit; any thread may read. A walk is weakly
 * consistent: it may miss or show what changes meanwhile.
 */
public final class LeaseTable {
  private final Map<Long, Lease> leases = new ConcurrentHashMap<>();
  private volatile long clock;

  private LeaseTable() {}

  /** Reads the leases of a store; its cost grows with their number, not with that of their keys. */
  public static LeaseTable load(MvccStore store) {
    LeaseTable table = new LeaseTable();
    try (ReadView view = store.view()) {
      LeaseReads.forEach(view, table.leases::put);
      table.clock = LeaseReads.clock(view);
    }
    return table;
  }

  /** The lease, or null if there is none. */
  public @Nullable Lease find(long id) {
    return leases.get(id);
  }

  /** Number of leases. */
  public int size() {
    return leases.size();
  }

  /** The newest clock that the log holds, in milliseconds; 0 before the first. */
  public long clock() {
    return clock;
  }

  /** Visits every lease in no order. */
  public void forEach(BiConsumer<Long, Lease> visitor) {
    leases.forEach(visitor);
  }

  /** Takes over what an entry changed, once it is committed. Thread: apply. */
  void publish(Map<Long, Optional<Lease>> edits, long newClock) {
    edits.forEach(
        (id, lease) ->
            lease.ifPresentOrElse(present -> leases.put(id, present), () -> leases.remove(id)));
    clock = newClock;
  }
}
