package io.tidemark.raftcore.read;

/**
 * The leader's line to one follower, for one leadership or less. Two lines to the same follower are
 * different objects; compare by identity.
 */
public interface Follower {
  /** The follower's peer id. */
  String id();

  /** The id that the next request on this line will carry. Rises by one per request. */
  long nextCallId();

  /** Asks for a heartbeat now. May be lost when a request is just being sent. Doesn't block. */
  void trigger();
}
