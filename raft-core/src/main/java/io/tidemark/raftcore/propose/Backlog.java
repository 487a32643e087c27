package io.tidemark.raftcore.propose;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commands that stand in no entry yet, in order of arrival. Guarded by the proposer's lock. */
final class Backlog {
  private final Deque<Pending> queue = new ArrayDeque<>();
  private long bytes;

  void add(Pending pending) {
    queue.add(pending);
    bytes += pending.size;
  }

  @Nullable Pending head() {
    return queue.peek();
  }

  /** Takes out a command that nobody waits for any more. */
  void remove(Pending pending) {
    queue.remove(pending); // equal waits: it is at the head
    bytes -= pending.size;
  }

  /** Takes out the oldest command, and those behind it as far as they fit. */
  List<Pending> take(long bytesMax) {
    List<Pending> taken = new ArrayList<>();
    long takenBytes = 0;
    for (Pending head = queue.peek();
        head != null && (taken.isEmpty() || takenBytes + head.size <= bytesMax);
        head = queue.peek()) {
      queue.remove();
      takenBytes += head.size;
      taken.add(head);
    }
    bytes -= takenBytes;
    return taken;
  }

  int size() {
    return queue.size();
  }

  /** Bytes of the commands. */
  long bytes() {
    return bytes;
  }
}
