package io.tidemark.statemachine.member;

import com.google.protobuf.ByteString;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.mvcc.EntryBatch;
import io.tidemark.mvcc.Table;
import io.tidemark.statemachine.read.MemberTable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Carries out changes of the members within one entry. Each method gives the reason for a refusal,
 * in etcd's order, or nothing.
 *
 * <p>What only the leader can know (who answers, how far a learner is) was asked before the change
 * was proposed. Thread: apply.
 */
public final class MemberSteps implements MemberChange.Cases<Optional<EtcdError>> {
  private final EntryBatch batch;
  private final Set<Long> removed = new LinkedHashSet<>();
  private boolean changed;

  public MemberSteps(EntryBatch batch) {
    this.batch = batch;
  }

  /** The members after the changes so far, ascending by unsigned id. */
  public List<Member> members() {
    List<Member> members = new ArrayList<>();
    batch.tableScan(Table.MEMBER, (id, row) -> members.add(MemberTable.member(row)));
    return members;
  }

  /** Whether there was any change. */
  public boolean changed() {
    return changed;
  }

  /** Those that this entry has removed. */
  public Set<Long> removed() {
    return removed;
  }

  /** Takes over name and client URLs of a member that has started. */
  public Optional<EtcdError> publish(Member member) {
    Member known = find(member.getID());
    if (known == null) {
      return Optional.of(EtcdError.MEMBER_NOT_FOUND);
    }
    write(
        known.toBuilder()
            .setName(member.getName())
            .clearClientURLs()
            .addAllClientURLs(member.getClientURLsList())
            .build());
    return Optional.empty();
  }

  @Override
  public Optional<EtcdError> add(MemberChange.Add add) {
    List<Member> members = members();
    Optional<EtcdError> risky = new ReconfigurationRules(members).add(add);
    if (risky.isPresent()) {
      return risky;
    }
    Member fresh = add.member();
    if (wasRemoved(fresh.getID())) {
      return Optional.of(EtcdError.MEMBER_NOT_FOUND);
    }
    if (find(fresh.getID()) != null) {
      return Optional.of(EtcdError.MEMBER_EXIST);
    }
    if (taken(fresh.getPeerURLsList(), fresh.getID(), members)) {
      return Optional.of(EtcdError.PEER_URL_EXIST);
    }
    long learners = members.stream().filter(Member::getIsLearner).count();
    if (fresh.getIsLearner() && learners + 1 > add.learnersMax()) {
      return Optional.of(EtcdError.TOO_MANY_LEARNERS);
    }
    write(fresh);
    return Optional.empty();
  }

  @Override
  public Optional<EtcdError> remove(MemberChange.Remove remove) {
    Optional<EtcdError> risky = new ReconfigurationRules(members()).remove(remove);
    if (risky.isPresent()) {
      return risky;
    }
    if (find(remove.id()) == null) {
      return Optional.of(EtcdError.MEMBER_NOT_FOUND);
    }
    drop(remove.id());
    return Optional.empty();
  }

  /**
   * Leaves one member and gives it a vote, whatever that costs the quorum: the others count as
   * removed.
   *
   * @param self with id and peer URLs, for a table that doesn't have it yet
   */
  public void leaveOnly(Member self) {
    for (Member member : members()) {
      if (member.getID() != self.getID()) {
        drop(member.getID());
      }
    }
    Member known = find(self.getID());
    write((known == null ? self : known).toBuilder().setIsLearner(false).build());
  }

  private void drop(long id) {
    ByteString key = MemberTable.idBytes(id);
    batch.tableDelete(Table.MEMBER, key);
    batch.tablePut(Table.REMOVED_MEMBER, key, ByteString.EMPTY);
    removed.add(id);
    changed = true;
  }

  @Override
  public Optional<EtcdError> update(MemberChange.Update update) {
    Member known = find(update.id());
    if (known == null) {
      return Optional.of(EtcdError.MEMBER_NOT_FOUND);
    }
    if (taken(update.peerUrls(), update.id(), members())) {
      return Optional.of(EtcdError.PEER_URL_EXIST);
    }
    write(known.toBuilder().clearPeerURLs().addAllPeerURLs(update.peerUrls()).build());
    return Optional.empty();
  }

  @Override
  public Optional<EtcdError> promote(MemberChange.Promote promote) {
    Optional<EtcdError> risky = new ReconfigurationRules(members()).promote(promote);
    if (risky.isPresent()) {
      return risky;
    }
    Member known = find(promote.id());
    if (known == null) {
      return Optional.of(EtcdError.MEMBER_NOT_FOUND);
    }
    if (!known.getIsLearner()) {
      return Optional.of(EtcdError.MEMBER_NOT_LEARNER);
    }
    write(known.toBuilder().setIsLearner(false).build());
    return Optional.empty();
  }

  private static boolean taken(List<String> urls, long id, List<Member> members) {
    return members.stream()
        .filter(member -> member.getID() != id)
        .anyMatch(member -> urls.stream().anyMatch(member.getPeerURLsList()::contains));
  }

  private boolean wasRemoved(long id) {
    return batch.tableGet(Table.REMOVED_MEMBER, MemberTable.idBytes(id)) != null;
  }

  private @Nullable Member find(long id) {
    ByteString row = batch.tableGet(Table.MEMBER, MemberTable.idBytes(id));
    return row == null ? null : MemberTable.member(row);
  }

  private void write(Member member) {
    batch.tablePut(Table.MEMBER, MemberTable.idBytes(member.getID()), member.toByteString());
    changed = true;
  }
}
