package io.tidemark.raftcore.peer;

import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.tidemarkpb.MemberFigures;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What a member does for its peers. Called on gRPC threads. */
public interface PeerHandler {
  /** Puts a peer's entry into the log if this member leads. Never completes exceptionally. */
  CompletableFuture<SendResult> forward(byte[] entry);

  /** An index confirmed by a majority; exceptional when this member doesn't lead. */
  CompletableFuture<Long> readIndex();

  /** Renews leases, for the granted TTL of each; exceptional when this member can't. */
  CompletableFuture<long[]> keepAlive(long[] ids);

  /**
   * The error that forbids the change of members inside an entry, or nothing; exceptional when this
   * member doesn't lead.
   */
  CompletableFuture<Optional<EtcdError>> permit(byte[] entry);

  /** The hash of this member's data, if it has it; exceptional when the store can't be read. */
  CompletableFuture<DigestAnswer> digest(DigestQuestion question);

  /** What this member says of itself. Never completes exceptionally. */
  CompletableFuture<MemberFigures> figures();

  /** What this member says of its cluster. Never completes exceptionally. */
  CompletableFuture<ClusterAnswer> describe(ClusterQuestion question);

  /** Whether a member's Raft messages are refused: it was removed and nobody counts on it. */
  boolean refuses(long memberId);
}
