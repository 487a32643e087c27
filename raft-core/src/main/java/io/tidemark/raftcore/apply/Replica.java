package io.tidemark.raftcore.apply;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.AlarmType;
import io.tidemark.api.etcdserverpb.DowngradeInfo;
import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.mvcc.AppliedPosition;
import io.tidemark.mvcc.MvccStore;
import io.tidemark.mvcc.ReadView;
import io.tidemark.raftcore.lease.LeaseState;
import io.tidemark.raftcore.metrics.SnapshotMetrics;
import io.tidemark.raftcore.snapshot.CheckpointSource;
import io.tidemark.raftcore.snapshot.SnapshotStorage;
import io.tidemark.raftcore.snapshot.StoreHome;
import io.tidemark.statemachine.AppliedEntry;
import io.tidemark.statemachine.BatchId;
import io.tidemark.statemachine.BatchWindow;
import io.tidemark.statemachine.CommandMachine;
import io.tidemark.statemachine.Genesis;
import io.tidemark.statemachine.Outcome;
import io.tidemark.statemachine.alarm.Alarms;
import io.tidemark.statemachine.auth.Authority;
import io.tidemark.statemachine.lease.LeaseTable;
import io.tidemark.watch.HistorySource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This member's copy of the data: the current store and the machine that applies to it.
 *
 * <p>Entries are applied on the apply thread only. A snapshot swaps the store under all readers:
 * views opened before stay valid until closed. Reads are thread-safe.
 */
public final class Replica implements HistorySource, CheckpointSource, LeaseState, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Replica.class);

  private final StoreHome home;
  private final Genesis genesis;
  private final Authority authority = new Authority();
  private final SnapshotMetrics metrics;
  private volatile MvccStore store;
  private volatile CommandMachine machine;

  /** Opens the store, or restores it from a newer snapshot that a crash left half installed. */
  public Replica(StoreHome home, Genesis genesis, SnapshotMetrics metrics) {
    this.home = home;
    this.genesis = genesis;
    this.metrics = metrics;
    this.store = home.open();
    try {
      this.machine = new CommandMachine(store, genesis, authority);
    } catch (RuntimeException | Error e) {
      store.close(); // or nobody could open it again
      throw e;
    }
  }

  /** Applies an entry; it is readable when this returns. Thread: apply. A throw is a fault. */
  public AppliedEntry apply(long term, long index, ByteString entry) {
    return machine.apply(term, index, entry);
  }

  /** Takes note of an entry without commands. Thread: apply. A throw is a fault. */
  public void advance(long term, long index) {
    machine.advance(term, index);
  }

  /**
   * Makes a member the only one, at a position of its own; see {@link CommandMachine#standAlone}.
   * Before Ratis runs.
   */
  public void standAlone(long term, long index, Member self) {
    machine.standAlone(term, index, self);
  }

  /** Replaces the store by a copy of a snapshot. Thread: apply. */
  public void restore(Path snapshot) {
    long began = System.nanoTime();
    metrics.installing();
    MvccStore old = store;
    MvccStore fresh = home.replaceBy(snapshot);
    machine = new CommandMachine(fresh, genesis, authority);
    store = fresh;
    old.close();
    var unused = old.released().thenRun(home::deleteRetired);
    metrics.installed();
    LOG.info(
        "snapshot installed: index {} after {}, revision {} after {}, {} bytes, took {} ms",
        fresh.applied().index(),
        old.applied().index(),
        fresh.revision(),
        old.revision(),
        SnapshotStorage.bytesBelow(snapshot),
        Duration.ofNanos(System.nanoTime() - began).toMillis());
  }

  /** Users and roles; follows every store that a snapshot brings. */
  public Authority authority() {
    return authority;
  }

  /** What the store remembers of a batch; see {@link BatchWindow#outcomes}. Blocks on the disk. */
  public Optional<List<Outcome>> outcomes(BatchId id) {
    try (ReadView view = view()) {
      return BatchWindow.outcomes(view, id);
    }
  }

  /** The alarms after the last applied entry. */
  public Alarms alarms() {
    return machine.alarms();
  }

  /** The wish to go back to an older version, as of the last applied entry. */
  public DowngradeInfo downgrade() {
    return machine.downgrade();
  }

  @Override
  public AppliedPosition checkpoint(Path target) {
    return store.checkpoint(target);
  }

  @Override
  public AppliedPosition applied() {
    return store.applied();
  }

  @Override
  public ReadView view() {
    while (true) {
      MvccStore current = store;
      try {
        return current.view();
      } catch (IllegalStateException e) {
        if (current == store) {
          throw e;
        }
        // Swapped between the two reads; the new store has a view.
      }
    }
  }

  @Override
  public long revision() {
    return store.revision();
  }

  @Override
  public long compactRevision() {
    return store.compactRevision();
  }

  /** Bytes allocated. */
  public long logicalBytes() {
    return store.logicalBytes();
  }

  /** Bytes in use. */
  public long logicalBytesInUse() {
    return store.logicalBytesInUse();
  }

  @Override
  public LeaseTable leases() {
    return machine.leases();
  }

  @Override
  public boolean frozen() {
    return machine.alarms().raised(AlarmType.CORRUPT);
  }

  /** The store of this moment; a snapshot may replace it. */
  public MvccStore store() {
    return store;
  }

  @Override
  public void close() {
    store.close();
  }

  /** Closes as a killed process would: the log has what the store hasn't flushed. */
  public void abandon() {
    store.closeWithoutFlush();
  }
}
