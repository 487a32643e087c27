package io.tidemark.server;

import io.tidemark.raftcore.FaultHandler;
import java.util.concurrent.CompletableFuture;

/** How a member's life ends, for whoever waits for it; passes on what it hears. Thread-safe. */
final class Ending implements FaultHandler {
  private final FaultHandler next;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  Ending(FaultHandler next) {
    this.next = next;
  }

  @Override
  public void onFault(String member, String what, Throwable cause) {
    ended.completeExceptionally(
        new IllegalStateException("member " + member + " can't go on: " + what, cause));
    next.onFault(member, what, cause);
  }

  @Override
  public void onRemoved(String member) {
    ended.complete(null);
    next.onRemoved(member);
  }

  void closed() {
    ended.complete(null);
  }

  CompletableFuture<Void> future() {
    return ended.copy();
  }
}
