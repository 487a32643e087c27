package io.tidemark.raftcore.membership;

import java.util.Set;

/**
 * Ratis's configuration at one moment, as this member's log has it.
 *
 * @param voters members that count for a majority
 * @param learners members that only receive
 * @param leaving members of the configuration that is being replaced; empty once it is
 */
public record Composition(Set<Long> voters, Set<Long> learners, Set<Long> leaving) {
  public Composition {
    voters = Set.copyOf(voters);
    learners = Set.copyOf(learners);
    leaving = Set.copyOf(leaving);
  }

  /** Whether no change is under way. */
  public boolean settled() {
    return leaving.isEmpty();
  }

  /** Whether a member is in the configuration, or in the one being replaced. */
  public boolean contains(long id) {
    return voters.contains(id) || learners.contains(id) || leaving.contains(id);
  }
}
