package io.tidemark.raftcore.propose;

import com.google.protobuf.ByteString;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One entry on its way. Guarded by the proposer's lock. */
final class Batch {
  /** Where an entry stands. */
  enum State {
    /** Not in any log; waits for a leader that takes it. */
    PARKED,
    /** Handed to {@link #target}; no answer yet. */
    SENDING,
    /** Applied on the leader; our own apply will come. */
    SENT,
    /** Perhaps in a log; only our own apply can tell. Takes no place among those in flight. */
    LINGERING,
    /** Applied, or nobody waits any more. */
    OVER
  }

  final long sequence;
  final List<Pending> commands;
  final long bytes;
  State state = State.PARKED;
  int waiting;

  /** Tells the answer to the last attempt from answers to earlier ones. */
  int attempt;

  @Nullable String target;
  @Nullable ByteString entry;

  Batch(long sequence, List<Pending> commands, long bytes) {
    this.sequence = sequence;
    this.commands = List.copyOf(commands);
    this.bytes = bytes;
    this.waiting = commands.size();
  }

  /** Whether it takes a place among those in flight. */
  boolean active() {
    return state == State.PARKED || state == State.SENDING || state == State.SENT;
  }
}
