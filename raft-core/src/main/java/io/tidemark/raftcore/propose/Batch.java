package io.tidemark.raftcore.propose;

import com.google.protobuf.ByteString;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.raftcore.peer.SendResult;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One entry on its way. Guarded by the proposer's lock. */
final class Batch {
  /** Where an entry stands. */
  enum State {
    /** Waits for a leader that takes it. */
    PARKED,
    /** Handed to {@link #target}; no answer yet. */
    SENDING,
    /** Applied on the leader; our own apply will come. */
    SENT,
    /** Applied, or nobody waits any more. */
    OVER
  }

  final long sequence;

  /** Final once {@link #sealed}; until then a command that ends leaves it. */
  final List<Pending> commands;

  /** Whether the entry's bytes are fixed. */
  boolean sealed;

  final long bytes;
  State state = State.PARKED;

  /** Whether an earlier attempt may have brought it into a log. */
  boolean doubtful;

  /** Commands whose callers still wait. */
  int waiting;

  /** Tells the answer to the last attempt from answers to earlier ones. */
  int attempt;

  /** When it was first handed to a leader; 0 = not yet. On the clock of System.nanoTime. */
  long sentNanos;

  @Nullable String target;
  @Nullable ByteString entry;

  Batch(long sequence, List<Pending> commands, long bytes) {
    this.sequence = sequence;
    this.commands = new ArrayList<>(commands);
    this.bytes = bytes;
    this.waiting = commands.size();
  }

  /** Fixes the content, and takes the commands' bytes out of them. */
  List<ByteString> seal() {
    sealed = true;
    List<ByteString> encoded = new ArrayList<>(commands.size());
    for (Pending pending : commands) {
      encoded.add(pending.encoded);
      pending.encoded = ByteString.EMPTY;
    }
    return encoded;
  }

  /** The answer to an attempt; one to an earlier attempt means nothing any more. */
  void answered(int toAttempt, SendResult result) {
    if (state != State.SENDING || attempt != toAttempt) {
      return;
    }
    switch (result) {
      case DONE -> state = State.SENT;
      case REFUSED -> state = State.PARKED;
      case UNKNOWN -> doubt();
    }
  }

  /** The last attempt may have come to something or not; another one is needed. */
  void doubt() {
    doubtful = true;
    state = State.PARKED;
  }

  /** A caller waits no longer; returns how its command ended. */
  ProposalResult giveUp(Pending pending, EtcdError error) {
    boolean surelyNowhere = !sealed || (state == State.PARKED && !doubtful && waiting == 1);
    if (!sealed) {
      commands.remove(pending); // never sent, and now it never will be
    }
    waiting--;
    return surelyNowhere ? new ProposalResult.NotStarted(error) : new ProposalResult.Unknown(error);
  }
}
