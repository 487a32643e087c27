package io.tidemark.raftcore.lease;

import com.google.protobuf.ByteString;
import io.tidemark.raftcore.peer.SendResult;
import java.util.concurrent.CompletableFuture;

/** The log of a member that may lead. Calls don't block. */
public interface LeaderLog {
  /**
   * The term in which this member leads and has applied everything from before that term; -1 when
   * it doesn't.
   */
  long leadingTerm();

  /** Tries once to append an entry here; done when it is applied here. Never exceptional. */
  CompletableFuture<SendResult> submit(ByteString entry);
}
