package io.tidemark.raftcore.membership;

import io.tidemark.api.etcdserverpb.Member;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The next step from a configuration towards the member table. One at a time: a configuration that
 * is half-way is never far from either end, and each step keeps a majority of known members.
 */
sealed interface NextStep {
  /** Sets the configuration. */
  record Change(Set<Long> voters, Set<Long> learners) implements NextStep {}

  /** Has one of these lead, so that it can remove this member. */
  record HandOver(Collection<Long> candidates) implements NextStep {}

  /** Nothing can be done now; these members wait until they show up. */
  record Await(List<Long> absent) implements NextStep {}

  /**
   * The step of a leader.
   *
   * @param self the leader
   * @param now its configuration, settled
   * @param table the member table
   * @param present members that were seen running; the others aren't added yet
   */
  static NextStep of(long self, Composition now, List<Member> table, Set<Long> present) {
    Set<Long> wantedVoters = new TreeSet<>(Long::compareUnsigned);
    Set<Long> wantedLearners = new TreeSet<>(Long::compareUnsigned);
    for (Member member : table) {
      (member.getIsLearner() ? wantedLearners : wantedVoters).add(member.getID());
    }
    Change kept = kept(self, now, wantedVoters, wantedLearners);
    if (!kept.voters().equals(now.voters()) || !kept.learners().equals(now.learners())) {
      return kept;
    }
    List<Long> absent = new ArrayList<>();
    for (Member member : table) {
      long id = member.getID();
      if (now.contains(id)) {
        continue;
      }
      if (present.contains(id)) {
        Set<Long> grown = member.getIsLearner() ? kept.learners() : kept.voters();
        grown.add(id);
        return kept;
      }
      absent.add(id);
    }
    if (!wantedVoters.contains(self)) {
      Set<Long> heirs = new TreeSet<>(kept.voters());
      heirs.retainAll(wantedVoters);
      if (!heirs.isEmpty()) {
        return new HandOver(heirs);
      }
    }
    return new Await(absent);
  }

  /** Without who was removed, but for the leader itself, and with one learner promoted. */
  private static Change kept(long self, Composition now, Set<Long> voters, Set<Long> learners) {
    Set<Long> keptVoters = new TreeSet<>();
    for (long id : now.voters()) {
      if (id == self || voters.contains(id) || learners.contains(id)) {
        keptVoters.add(id);
      }
    }
    Set<Long> keptLearners = new TreeSet<>();
    Long promoted = null;
    for (long id : new TreeSet<>(now.learners())) {
      if (voters.contains(id) && promoted == null) {
        promoted = id;
      } else if (voters.contains(id) || learners.contains(id)) {
        keptLearners.add(id);
      }
    }
    addIfAny(keptVoters, promoted);
    return new Change(keptVoters, keptLearners);
  }

  private static void addIfAny(Set<Long> ids, @Nullable Long id) {
    if (id != null) {
      ids.add(id);
    }
  }
}
