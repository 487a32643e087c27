package io.tidemark.it.nemesis;

/**
 * One fault as it was. Times are of this JVM's monotonic clock.
 *
 * @param step what was planned
 * @param members whom it hit
 * @param beganNanos when it began
 * @param healedNanos when it was undone
 * @param readyNanos when every member served again and had caught up; 0 if that took too long
 * @param detectMillis after how long another member led, if it hit the leader so that one had to;
 *     else -1
 * @param proof what shows that it took effect; empty if nothing does
 */
public record FaultRecord(
    Step step,
    String members,
    long beganNanos,
    long healedNanos,
    long readyNanos,
    long detectMillis,
    String proof) {
  /** Whether it took effect. */
  public boolean effective() {
    return !proof.isEmpty();
  }

  /** From healing until every member served again, in milliseconds; -1 if they didn't. */
  public long recoverMillis() {
    return readyNanos == 0 ? -1 : (readyNanos - healedNanos) / 1_000_000;
  }
}
