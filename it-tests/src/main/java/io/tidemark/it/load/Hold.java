package io.tidemark.it.load;

/**
 * Somebody held a lock.
 *
 * @param who the holder
 * @param key the holder's key in the queue of the lock
 * @param fromRevision the revision as of which the service said so
 * @param beganNanos when it said so, by this JVM's monotonic clock
 * @param endedNanos when the holder gave it back
 */
public record Hold(int who, String key, long fromRevision, long beganNanos, long endedNanos) {}
