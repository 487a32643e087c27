package io.tidemark.it.nemesis;

import java.time.Duration;
import java.util.Locale;

/**
 * One fault of a schedule.
 *
 * @param number from 1
 * @param kind what
 * @param role on whom, as the cluster stands then
 * @param hold how long it lasts
 * @param seed of everything else that the fault decides
 */
public record Step(int number, FaultKind kind, Role role, Duration hold, long seed) {
  /** Whom a fault is for. */
  public enum Role {
    /** Whoever leads. */
    LEADER,
    /** One of those who don't. */
    FOLLOWER
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%3d %-15s %-8s %.1f s",
        number,
        kind.text(),
        role.name().toLowerCase(Locale.ROOT),
        hold.toMillis() / 1000.0);
  }
}
