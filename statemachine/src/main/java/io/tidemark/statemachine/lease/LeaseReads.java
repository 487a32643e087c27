package io.tidemark.statemachine.lease;

import com.google.protobuf.ByteString;
import io.tidemark.mvcc.ReadView;
import io.tidemark.mvcc.Table;
import io.tidemark.statemachine.auth.AttachedKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Leases as a view shows them. Thread: the one that holds the view; blocks on disk. */
public final class LeaseReads {
  private LeaseReads() {}

  /** The lease, or null if there is none. */
  public static @Nullable Lease find(ReadView view, long id) {
    ByteString row = view.tableGet(Table.LEASE, LeaseRows.idBytes(id));
    return row == null ? null : LeaseRows.lease(row);
  }

  /** The keys that a lease holds, ascending. */
  public static List<ByteString> keys(ReadView view, long id) {
    List<ByteString> keys = new ArrayList<>();
    view.tableScan(
        Table.LEASE_KEY,
        LeaseRows.idBytes(id),
        (attachment, nothing) -> keys.add(LeaseRows.attachedKey(attachment)));
    return keys;
  }

  /** The keys on leases, for questions of rights. */
  public static AttachedKeys attached(ReadView view) {
    return new AttachedKeys() {
      @Override
      public List<ByteString> of(long lease) {
        return keys(view, lease);
      }

      @Override
      public List<ByteString> all() {
        List<ByteString> keys = new ArrayList<>();
        view.tableScan(
            Table.LEASE_KEY, (attachment, nothing) -> keys.add(LeaseRows.attachedKey(attachment)));
        return keys;
      }
    };
  }

  /** Visits every lease, ascending by unsigned id. */
  public static void forEach(ReadView view, BiConsumer<Long, Lease> visitor) {
    view.tableScan(
        Table.LEASE, (key, row) -> visitor.accept(LeaseRows.id(key), LeaseRows.lease(row)));
  }

  /** The newest clock that the log holds, in milliseconds; 0 before the first. */
  public static long clock(ReadView view) {
    ByteString row = view.tableGet(Table.META, LeaseRows.CLOCK_KEY);
    return row == null ? 0 : LeaseRows.clock(row);
  }
}
