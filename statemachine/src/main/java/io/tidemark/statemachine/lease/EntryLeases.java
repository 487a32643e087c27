package io.tidemark.statemachine.lease;

import com.google.protobuf.ByteString;
import io.tidemark.mvcc.EntryBatch;
import io.tidemark.mvcc.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The leases as the entry being applied sees them: its own changes over the table's. The rows go
 * into the entry's batch, the table changes with {@link #publish}. Thread: apply.
 */
public final class EntryLeases {
  private final EntryBatch batch;
  private final LeaseTable table;
  private final Map<Long, Optional<Lease>> edits = new LinkedHashMap<>();
  private final List<Long> granted = new ArrayList<>();
  private long clock;
  private int revoked;
  private int expired;

  public EntryLeases(EntryBatch batch, LeaseTable table) {
    this.batch = batch;
    this.table = table;
    this.clock = table.clock();
  }

  /** The lease, or null if there is none. */
  public @Nullable Lease find(long id) {
    Optional<Lease> edit = edits.get(id);
    return edit != null ? edit.orElse(null) : table.find(id);
  }

  /** Whether a lease may be attached now. */
  public boolean exists(long id) {
    return find(id) != null;
  }

  /** Makes a lease that isn't there yet. */
  public void grant(long id, long ttlSeconds) {
    set(id, new Lease(ttlSeconds, Lease.NOT_LOGGED));
    granted.add(id);
  }

  /** Notes a renewal; an older one than is known changes nothing. Null if there is no lease. */
  public @Nullable Lease renew(long id, long renewedAt) {
    Lease lease = find(id);
    if (lease == null || lease.renewedAt() >= renewedAt) {
      return lease;
    }
    Lease renewed = new Lease(lease.ttlSeconds(), renewedAt);
    set(id, renewed);
    return renewed;
  }

  /** The newest logged clock, this entry's included; it never goes back. */
  public void advanceClock(long to) {
    if (to > clock) {
      clock = to;
      batch.tablePut(Table.META, LeaseRows.CLOCK_KEY, LeaseRows.clockRow(to));
    }
  }

  /** The keys that the lease holds now, ascending. */
  public List<ByteString> keys(long id) {
    List<ByteString> keys = new ArrayList<>();
    batch.tableScan(
        Table.LEASE_KEY,
        LeaseRows.idBytes(id),
        (attachment, nothing) -> keys.add(LeaseRows.attachedKey(attachment)));
    return keys;
  }

  /** Ends a lease that holds no keys any more. */
  public void end(long id, boolean byExpiry) {
    edits.put(id, Optional.empty());
    batch.tableDelete(Table.LEASE, LeaseRows.idBytes(id));
    revoked++;
    expired += byExpiry ? 1 : 0;
  }

  /** A key now belongs to another lease; 0 stands for none. */
  public void moved(ByteString key, long from, long to) {
    if (from == to) {
      return;
    }
    if (from != 0) {
      batch.tableDelete(Table.LEASE_KEY, LeaseRows.attachment(from, key));
    }
    if (to != 0) {
      batch.tablePut(Table.LEASE_KEY, LeaseRows.attachment(to, key), ByteString.EMPTY);
    }
  }

  /** The table shows from now on what the entry did, which is committed; tells what that was. */
  public LeaseChanges publish() {
    boolean clockMoved = clock != table.clock();
    if (edits.isEmpty() && !clockMoved) {
      return LeaseChanges.NONE;
    }
    table.publish(edits, clock);
    return new LeaseChanges(
        clockMoved ? clock : LeaseChanges.SAME_CLOCK, granted, revoked, expired);
  }

  private void set(long id, Lease lease) {
    edits.put(id, Optional.of(lease));
    batch.tablePut(Table.LEASE, LeaseRows.idBytes(id), LeaseRows.row(lease));
  }
}
