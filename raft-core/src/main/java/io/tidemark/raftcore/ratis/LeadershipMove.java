package io.tidemark.raftcore.ratis;

/** How a request to move the leadership ended. */
public enum LeadershipMove {
  /** The wanted member leads, or has led for a moment. */
  DONE,
  /** Only the leader can give its place away. */
  NOT_LEADING,
  /** The wanted member is unknown or has no vote. */
  NO_SUCH_VOTER,
  /** The wanted member didn't take over in time; it may still do so. */
  TIMED_OUT
}
