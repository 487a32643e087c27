package io.tidemark.raftcore.propose;

import com.google.protobuf.ByteString;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One command on its way. All fields but the future are guarded by the proposer's lock. */
final class Pending {
  final CompletableFuture<ProposalResult> future = new CompletableFuture<>();
  final long deadlineNanos;
  final int size;

  /** Dropped once the command stands in an entry. */
  ByteString encoded;

  @Nullable Batch batch;
  boolean settled;

  Pending(ByteString encoded, long deadlineNanos) {
    this.encoded = encoded;
    this.size = encoded.size();
    this.deadlineNanos = deadlineNanos;
  }
}
