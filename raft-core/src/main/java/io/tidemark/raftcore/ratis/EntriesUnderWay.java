package io.tidemark.raftcore.ratis;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The entries that a follower has been sent and not answered yet.
 *
 * <p>An appender sends entries in order and they are answered in order. Sending an index once more
 * means that all before were given up. Requests without entries are not told here. Thread-safe.
 */
final class EntriesUnderWay {
  /**
   * What even a cold follower on a busy machine takes in, writes down and answers in a second.
   * Heartbeats wait behind the entries of one request, so nothing is heard of it meanwhile.
   */
  static final long BYTES_PER_SECOND = 4 << 20;

  @GuardedBy("this")
  private final Deque<Request> requests = new ArrayDeque<>();

  @GuardedBy("this")
  private long bytes;

  private record Request(long callId, long lastIndex, long bytes) {}

  synchronized void sends(long callId, long firstIndex, long lastIndex, long requestBytes) {
    if (!requests.isEmpty() && firstIndex <= requests.getLast().lastIndex()) {
      requests.clear();
      bytes = 0;
    }
    requests.addLast(new Request(callId, lastIndex, requestBytes));
    bytes += requestBytes;
  }

  /** Forgets the request and all before it; does nothing if it was none with entries. */
  synchronized void answers(long callId) {
    if (requests.stream().noneMatch(r -> r.callId() == callId)) {
      return;
    }
    Request done;
    do {
      done = requests.removeFirst();
      bytes -= done.bytes();
    } while (done.callId() != callId);
  }

  /** How much longer than others this follower may be silent. */
  synchronized long patienceMillis() {
    return bytes * 1000 / BYTES_PER_SECOND;
  }
}
