package io.tidemark.it.history;

/**
 * One attempt of one client.
 *
 * @param client who tried, with a member's number: {@code 3@m1}
 * @param action what it asked for
 * @param beganNanos this JVM's monotonic clock just before
 * @param endedNanos and just after
 * @param outcome what it was told
 */
public record Operation(
    String client, Action action, long beganNanos, long endedNanos, Outcome outcome) {}
