package io.tidemark.raftcore.read;

import java.util.concurrent.CompletableFuture;

/** Who gives out confirmed indexes: this member's rounds, or the leader over the peer port. */
@FunctionalInterface
public interface IndexSource {
  /** Asks once. Exceptional when nobody could answer now; the caller asks again. */
  CompletableFuture<Long> ask();
}
