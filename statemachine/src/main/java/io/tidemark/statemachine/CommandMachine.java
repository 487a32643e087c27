package io.tidemark.statemachine;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.DowngradeInfo;
import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.api.etcdserverpb.MemberListResponse;
import io.tidemark.mvcc.AppliedPosition;
import io.tidemark.mvcc.EntryBatch;
import io.tidemark.mvcc.MvccStore;
import io.tidemark.mvcc.ReadView;
import io.tidemark.mvcc.RevisionBatch;
import io.tidemark.mvcc.Table;
import io.tidemark.statemachine.alarm.AlarmSteps;
import io.tidemark.statemachine.alarm.Alarms;
import io.tidemark.statemachine.auth.AuthSteps;
import io.tidemark.statemachine.auth.Authority;
import io.tidemark.statemachine.lease.EntryLeases;
import io.tidemark.statemachine.lease.LeaseTable;
import io.tidemark.statemachine.member.MemberSteps;
import io.tidemark.statemachine.read.DowngradeRow;
import io.tidemark.statemachine.read.MemberTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Applies the entries of the log to one store.
 *
 * <p>Deterministic: the same entries on the same state give the same outcomes, the same revisions
 * and the same store on every member. An entry and its position become durable together, in one
 * write of the store, so that replaying after a crash applies nothing twice and skips nothing.
 *
 * <p>Thread: apply, but for {@link #alarms} and {@link #downgrade} and {@link #leases}. Blocks on
 * disk reads and one write per entry. An exception is a fault; the entry it came from has left no
 * trace in the store, and the machine must not be used again. After a snapshot has replaced the
 * store, make a new machine for the new store, which reads its leases.
 */
public final class CommandMachine {
  private final MvccStore store;
  private final Genesis genesis;
  private final Authority authority;
  private final BatchWindow window;
  private volatile Alarms alarms;
  private volatile DowngradeInfo downgrade;
  private final LeaseTable leases;
  private boolean founding;

  /**
   * A machine for a store. Blocks on reading users, roles and alarms.
   *
   * @param genesis written with the first position that a new store takes; not looked at if the
   *     store has one already
   * @param authority takes over this store's users and roles, and follows every change of them
   */
  public CommandMachine(MvccStore store, Genesis genesis, Authority authority) {
    this.store = store;
    this.genesis = genesis;
    this.authority = authority;
    try (ReadView view = store.view()) {
      authority.load(view);
      this.alarms = Alarms.in(view);
      this.window = BatchWindow.load(view);
      this.downgrade = DowngradeRow.in(view);
    }
    this.leases = LeaseTable.load(store);
    this.founding = store.applied().equals(AppliedPosition.INITIAL);
  }

  /** The leases as of the last entry. */
  public LeaseTable leases() {
    return leases;
  }

  /**
   * Applies one entry. Its revisions are readable when this returns.
   *
   * @param term the entry's term
   * @param index the entry's place in the log; an entry that the store holds already is skipped,
   *     and so is another copy of a batch that was applied at an earlier one
   * @param entry what {@link EntryCodec#encode} made
   * @throws EntryFormatException if this version cannot read the entry
   */
  public AppliedEntry apply(long term, long index, ByteString entry) {
    BatchId id = EntryCodec.peekId(entry);
    if (index <= store.applied().index()) {
      return AppliedEntry.skipped(id);
    }
    BatchWindow.Verdict verdict = window.verdict(id);
    if (verdict != BatchWindow.Verdict.NEW) {
      advance(term, index);
      return verdict == BatchWindow.Verdict.APPLIED ? repeated(id) : AppliedEntry.skipped(id);
    }
    Entry decoded = EntryCodec.decode(entry);
    try (EntryBatch batch = store.begin(term, index)) {
      foundOnce(batch);
      batch.prefetch(PointKeys.of(decoded.commands()));
      AuthSteps auth = new AuthSteps(batch, index, authority.state());
      AlarmSteps alarmSteps = new AlarmSteps(batch, alarms);
      EntryLeases entryLeases = new EntryLeases(batch, leases);
      Application application = new Application(term, batch, entryLeases, auth, alarmSteps);
      List<Outcome> outcomes = new ArrayList<>(decoded.commands().size());
      for (Command command : decoded.commands()) {
        outcomes.add(application.apply(command));
      }
      Set<Long> removed = application.members().removed();
      BatchWindow.keep(batch, id, outcomes);
      removed.forEach(member -> BatchWindow.forget(batch, member));
      auth.publish(authority);
      boolean membersChanged = founding || application.members().changed();
      List<RevisionBatch> batches = batch.commit();
      window.note(id);
      removed.forEach(window::close);
      alarms = alarmSteps.alarms();
      downgrade = application.downgrade().orElse(downgrade);
      founding = false;
      return new AppliedEntry(
          id,
          outcomes,
          batches,
          application.compactRevision(),
          entryLeases.publish(),
          membersChanged);
    }
  }

  /** The alarms after the last entry. Any thread. */
  public Alarms alarms() {
    return alarms;
  }

  /** Whether the cluster is to go back to an older version, after the last entry. Any thread. */
  public DowngradeInfo downgrade() {
    return downgrade;
  }

  /** Takes note of an entry that carries no commands; skipped if the store is past it already. */
  public void advance(long term, long index) {
    if (index <= store.applied().index()) {
      return;
    }
    if (!founding) {
      store.advance(term, index);
      return;
    }
    try (EntryBatch batch = store.begin(term, index)) {
      foundOnce(batch);
      batch.commit();
      founding = false;
    }
  }

  /**
   * Makes a member the only one of its cluster, and a voter; the others count as removed. Whoever
   * joins from then on is sent this store, so the founders are forgotten. Not an entry of the log:
   * for a member that can't have a majority any more, before it replicates anything.
   *
   * @param self id and peer URLs of the member
   * @throws IllegalStateException if it was removed itself
   */
  public void standAlone(long term, long index, Member self) {
    try (ReadView view = store.view()) {
      if (MemberTable.removed(view, self.getID())) {
        throw new IllegalStateException(
            "member "
                + Long.toHexString(self.getID())
                + " has been permanently removed from the cluster");
      }
    }
    try (EntryBatch batch = store.begin(term, index)) {
      foundOnce(batch);
      batch.tableDelete(Table.META, MemberTable.FOUNDERS_KEY);
      MemberSteps members = new MemberSteps(batch);
      members.leaveOnly(self);
      members.removed().forEach(member -> BatchWindow.forget(batch, member));
      batch.commit();
      members.removed().forEach(window::close);
      founding = false;
    }
  }

  private AppliedEntry repeated(BatchId id) {
    try (ReadView view = store.view()) {
      return AppliedEntry.repeated(id, BatchWindow.outcomes(view, id).orElse(List.of()));
    }
  }

  private void foundOnce(EntryBatch batch) {
    if (!founding) {
      return;
    }
    batch.tablePut(
        Table.META, MemberTable.CLUSTER_ID_KEY, MemberTable.idBytes(genesis.clusterId()));
    // Who joins later and begins with the first entry has to begin with the same founders.
    List<Member> founders =
        genesis.founders().stream()
            .sorted(Comparator.comparing(Member::getID, Long::compareUnsigned))
            .toList();
    batch.tablePut(
        Table.META,
        MemberTable.FOUNDERS_KEY,
        MemberListResponse.newBuilder().addAllMembers(founders).build().toByteString());
    for (Member founder : founders) {
      batch.tablePut(Table.MEMBER, MemberTable.idBytes(founder.getID()), founder.toByteString());
    }
  }
}
