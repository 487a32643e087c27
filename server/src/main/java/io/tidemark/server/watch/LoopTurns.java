package io.tidemark.server.watch;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The calls of one event loop that have something to send. However many become ready together, the
 * loop is woken once and sends for all of them in one turn. Holds each call at most once.
 */
final class LoopTurns {
  private final Executor loop;
  private final LoopReplies replies;
  private final ConcurrentLinkedQueue<WatchCall> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean awake = new AtomicBoolean();

  LoopTurns(Executor loop, WatchReplies replies) {
    this.loop = loop;
    this.replies = new LoopReplies(replies);
  }

  /** Thread: the event loop. */
  LoopReplies replies() {
    return replies;
  }

  /** Any thread. The caller sees to it that the call isn't waiting here already. */
  void add(WatchCall call) {
    waiting.add(call);
    if (awake.compareAndSet(false, true)) {
      try {
        loop.execute(this::run);
      } catch (RejectedExecutionException stopped) {
        waiting.clear();
      }
    }
  }

  private void run() {
    awake.set(false);
    for (WatchCall call = waiting.poll(); call != null; call = waiting.poll()) {
      call.turn();
    }
  }
}
