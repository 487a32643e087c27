package io.tidemark.it.load;

/**
 * One lease with one key, renewed for a while and then left alone. Times are of this JVM's
 * monotonic clock.
 *
 * @param key deleted when the lease ends
 * @param ttlSeconds its time to live
 * @param answeredSentNanos when the last renewal that was answered was sent
 * @param lastTryNanos until when a try, answered or not, may have renewed it
 */
public record LeaseLife(String key, long ttlSeconds, long answeredSentNanos, long lastTryNanos) {}
