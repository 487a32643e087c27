package io.tidemark.raftcore.ratis;

/**
 * What Ratis tells beside entries. Called on Ratis threads, some under its lock: must not block.
 */
public interface LogEvents {
  /** A leader was elected, became ready, or this member stopped leading. */
  void leadershipChanged();

  /** Ratis closed the group, and nobody here asked for it. May be called more than once. */
  void groupClosed();

  /** Ratis, the log or the store can't go on. */
  void fault(String what, Throwable cause);
}
