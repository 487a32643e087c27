package io.tidemark.raftcore.propose;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * When each command has to have an answer. All wait equally long, so the order of arrival is the
 * order of the deadlines. Guarded by the proposer's lock.
 */
final class Deadlines {
  private final long timeoutNanos;
  private final Deque<Pending> waiting = new ArrayDeque<>();

  Deadlines(Duration timeout) {
    this.timeoutNanos = timeout.toNanos();
  }

  /** When a command was taken in, on the clock of {@link System#nanoTime}. */
  long begun(Pending pending) {
    return pending.deadlineNanos - timeoutNanos;
  }

  /** Takes a command in, whose time runs from now. */
  Pending begin(ByteString encoded) {
    Pending pending = new Pending(encoded, System.nanoTime() + timeoutNanos);
    waiting.add(pending);
    return pending;
  }

  /**
   * Takes out those that have no answer and no time left; forgets those that have one.
   *
   * @param nowNanos on the clock of {@link System#nanoTime}
   */
  List<Pending> takeOverdue(long nowNanos) {
    List<Pending> overdue = new ArrayList<>();
    for (Pending head = waiting.peek();
        head != null && (head.settled || head.deadlineNanos - nowNanos <= 0);
        head = waiting.peek()) {
      waiting.remove();
      if (!head.settled) {
        overdue.add(head);
      }
    }
    return overdue;
  }

  /** Takes out all that have no answer, oldest first. */
  List<Pending> takeAll() {
    List<Pending> all = waiting.stream().filter(pending -> !pending.settled).toList();
    waiting.clear();
    return all;
  }
}
