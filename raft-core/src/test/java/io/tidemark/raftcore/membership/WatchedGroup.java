package io.tidemark.raftcore.membership;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A group that is asked how its members do, and never changed. */
interface WatchedGroup extends Group {
  @Override
  default Composition composition() {
    throw new UnsupportedOperationException();
  }

  @Override
  default CompletableFuture<Boolean> change(Set<Long> voters, Set<Long> learners) {
    throw new UnsupportedOperationException();
  }

  @Override
  default CompletableFuture<Boolean> handOver(Collection<Long> candidates) {
    throw new UnsupportedOperationException();
  }
}
