package io.tidemark.raftcore.membership;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The replicating group as membership needs it. Any thread; nothing blocks. */
public interface Group {
  /** Whether this member leads and has applied everything of earlier terms. */
  boolean leads();

  /** The configuration that this member's log has. */
  Composition composition();

  /**
   * Replaces the configuration, if this member leads. Completes, never exceptionally, with whether
   * the new one is in force; false after a time-out may still become true.
   */
  CompletableFuture<Boolean> change(Set<Long> voters, Set<Long> learners);

  /** Makes the most advanced of some voters lead. Never completes exceptionally. */
  CompletableFuture<Boolean> handOver(Collection<Long> candidates);

  /** Whether a member answered this leader within an election timeout. */
  boolean answers(long id);

  /** The newest index of this member's log. */
  long newest();

  /** Whether a member's log reaches an index, as this leader knows it. */
  boolean holds(long id, long index);

  /** Whether a member holds nine tenths of this leader's log or more, as etcd wants it. */
  boolean inSync(long id);
}
