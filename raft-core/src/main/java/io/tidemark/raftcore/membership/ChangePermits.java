package io.tidemark.raftcore.membership;

import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.statemachine.member.MemberChange;
import io.tidemark.statemachine.member.ReconfigurationRules;
import java.util.List;
import java.util.Optional;

/**
 * What the leader checks before a change of the members is proposed, in etcd's order (contract
 * section 2.12): whether enough voters have started, whether they answer, whether a learner is in
 * sync. A member answers if it did so within an election timeout. Any thread.
 *
 * @param table the member table of the leader
 */
public record ChangePermits(long self, Group group, List<Member> table)
    implements MemberChange.Cases<Optional<EtcdError>> {
  private static final Optional<EtcdError> UNHEALTHY = Optional.of(EtcdError.UNHEALTHY);

  @Override
  public Optional<EtcdError> add(MemberChange.Add add) {
    Optional<EtcdError> risky = new ReconfigurationRules(table).add(add);
    if (risky.isPresent()) {
      return risky;
    }
    return add.strict() && answering() < voters() ? UNHEALTHY : Optional.empty();
  }

  @Override
  public Optional<EtcdError> remove(MemberChange.Remove remove) {
    Optional<EtcdError> risky = new ReconfigurationRules(table).remove(remove);
    if (risky.isPresent() || !remove.strict()) {
      return risky;
    }
    boolean voter = table.stream().anyMatch(m -> m.getID() == remove.id() && !m.getIsLearner());
    if (!voter || !answers(remove.id())) {
      return Optional.empty(); // it takes no part in the quorum as it is
    }
    return answering() - 1 < 1 + (voters() - 1) / 2 ? UNHEALTHY : Optional.empty();
  }

  @Override
  public Optional<EtcdError> update(MemberChange.Update update) {
    return Optional.empty();
  }

  @Override
  public Optional<EtcdError> promote(MemberChange.Promote promote) {
    Optional<Member> member = table.stream().filter(m -> m.getID() == promote.id()).findFirst();
    if (member.isEmpty()) {
      return Optional.of(EtcdError.MEMBER_NOT_FOUND);
    }
    if (member.get().getIsLearner() && !group.inSync(promote.id())) {
      return Optional.of(EtcdError.LEARNER_NOT_READY);
    }
    return new ReconfigurationRules(table).promote(promote);
  }

  private long voters() {
    return table.stream().filter(member -> !member.getIsLearner()).count();
  }

  private long answering() {
    return table.stream()
        .filter(member -> !member.getIsLearner() && answers(member.getID()))
        .count();
  }

  private boolean answers(long id) {
    return id == self || group.answers(id);
  }
}
