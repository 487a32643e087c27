package io.tidemark.raftcore.upkeep;

import io.tidemark.raftcore.peer.DigestAnswer;
import io.tidemark.raftcore.peer.DigestQuestion;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** What comparing members needs of the member that does it. Calls don't block. */
public interface DigestWays {
  /** This member's id. */
  long self();

  /** All members, this one included. */
  List<Long> members();

  /** Whether this member leads. */
  boolean leads();

  /** What to ask for now: this member's revision and compact revision. */
  DigestQuestion now();

  /** Asks a member; this one, too. */
  CompletableFuture<DigestAnswer> ask(long member, DigestQuestion question);

  /** Raises the alarm of corruption for a member; 0 for all. */
  void alarm(long member);

  /** Runs a task some time later on {@link #thread}. */
  void later(Runnable task);

  /** The thread that owns what compares. */
  Executor thread();
}
