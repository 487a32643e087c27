package io.tidemark.raftcore.peer;

import java.util.concurrent.CompletableFuture;

/** What a member does for its peers. Called on gRPC threads. */
public interface PeerHandler {
  /** Puts a peer's entry into the log if this member leads. Never completes exceptionally. */
  CompletableFuture<SendResult> forward(byte[] entry);

  /** An index confirmed by a majority; exceptional when this member doesn't lead. */
  CompletableFuture<Long> readIndex();

  /** Renews leases, for the granted TTL of each; exceptional when this member can't. */
  CompletableFuture<long[]> keepAlive(long[] ids);
}
