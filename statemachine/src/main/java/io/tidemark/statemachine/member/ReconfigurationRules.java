package io.tidemark.statemachine.member;

import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.Member;
import java.util.List;
import java.util.Optional;

/**
 * Whether enough voters have started that a change can't cost the quorum: a member has started once
 * it has told its name. Pure.
 */
public record ReconfigurationRules(List<Member> members)
    implements MemberChange.Cases<Optional<EtcdError>> {
  private static final Optional<EtcdError> ALLOWED = Optional.empty();
  private static final Optional<EtcdError> TOO_FEW =
      Optional.of(EtcdError.MEMBER_NOT_ENOUGH_STARTED);

  public ReconfigurationRules {
    members = List.copyOf(members);
  }

  @Override
  public Optional<EtcdError> add(MemberChange.Add add) {
    if (!add.strict() || add.member().getIsLearner()) {
      return ALLOWED;
    }
    long voters = voters(0, false) + 1;
    long started = voters(0, true);
    // A lone member may get company: how else would it ever.
    return voters == 2 && started == 1 ? ALLOWED : enough(voters, started);
  }

  @Override
  public Optional<EtcdError> remove(MemberChange.Remove remove) {
    long id = remove.id();
    boolean learner = members.stream().anyMatch(m -> m.getID() == id && m.getIsLearner());
    if (learner) {
      return ALLOWED;
    }
    boolean voter = members.stream().anyMatch(m -> m.getID() == id);
    if (voter && voters(id, false) == 0) {
      return TOO_FEW; // nobody would be left to undo it, strict or not
    }
    return remove.strict() ? enough(voters(id, false), voters(id, true)) : ALLOWED;
  }

  @Override
  public Optional<EtcdError> update(MemberChange.Update update) {
    return ALLOWED;
  }

  /** The learner counts as started: it is in sync. */
  @Override
  public Optional<EtcdError> promote(MemberChange.Promote promote) {
    return promote.strict() ? enough(voters(0, false) + 1, voters(0, true) + 1) : ALLOWED;
  }

  /** Voters but one; an id of 0 leaves none out. */
  private long voters(long but, boolean startedOnly) {
    return members.stream()
        .filter(member -> !member.getIsLearner() && member.getID() != but)
        .filter(member -> !startedOnly || !member.getName().isEmpty())
        .count();
  }

  private static Optional<EtcdError> enough(long voters, long started) {
    return started < voters / 2 + 1 ? TOO_FEW : ALLOWED;
  }
}
