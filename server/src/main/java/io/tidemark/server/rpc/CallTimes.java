package io.tidemark.server.rpc;

import io.tidemark.raftcore.propose.WriteTimes;

/**
 * Where the time of one unary call goes: the stage it is in, and the longest one that is over. The
 * base of {@link Reply}, so that no call needs a second object for it.
 *
 * <p>Told by whichever thread has the call, one after the other, on the clock of {@link
 * System#nanoTime}. When a cancelled call ends while another thread has it, what is read may be a
 * stage old: it goes to the log and nowhere else.
 */
public abstract class CallTimes {
  private long beganNanos;
  private long sinceNanos;
  private long longestNanos;
  private Stage stage = Stage.HANDLING;
  private Stage longest = Stage.HANDLING;

  final void beginTiming() {
    beganNanos = System.nanoTime();
    sinceNanos = beganNanos;
  }

  /** The call is over with the stage it was in, and begins this one. */
  public final void enter(Stage next) {
    enter(next, System.nanoTime());
  }

  /** The call's command was applied; its time in {@link Stage#LOG} can be told apart. */
  public final void applied(WriteTimes times) {
    stage = Stage.QUEUE;
    enter(Stage.COMMIT, times.sentNanos());
    enter(Stage.APPLY, times.applyNanos());
    enter(Stage.REPLY, times.appliedNanos());
  }

  private void enter(Stage next, long nowNanos) {
    long took = nowNanos - sinceNanos;
    if (took > longestNanos) {
      longestNanos = took;
      longest = stage;
    }
    stage = next;
    sinceNanos = nowNanos;
  }

  final long sinceBeginNanos(long nowNanos) {
    return nowNanos - beganNanos;
  }

  /** The stage that took longest up to now. */
  final Stage longest(long nowNanos) {
    return nowNanos - sinceNanos > longestNanos ? stage : longest;
  }

  final long longestNanos(long nowNanos) {
    return Math.max(longestNanos, nowNanos - sinceNanos);
  }
}
