package io.tidemark.raftcore.propose;

import com.google.protobuf.ByteString;
import io.tidemark.raftcore.peer.SendResult;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The way to the leader. Calls don't block. */
public interface Route {
  /** The leader this member knows of, itself included. */
  @Nullable String leader();

  /**
   * Tries once to get an entry into the log of {@code leader}.
   *
   * @param timeoutNanos how long the answer is of interest
   * @return never exceptional
   */
  CompletableFuture<SendResult> send(String leader, ByteString entry, long timeoutNanos);
}
