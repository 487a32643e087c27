package io.tidemark.statemachine.lease;

/**
 * A lease as the log knows it.
 *
 * @param ttlSeconds the granted time to live
 * @param renewedAt time of the last renewal in milliseconds of the lease clock, or {@link
 *     #NOT_LOGGED}
 */
public record Lease(long ttlSeconds, long renewedAt) {
  /**
   * The leader hasn't logged yet when it saw the grant. Such a lease counts as renewed just now,
   * whatever the clock says: a member that grants doesn't know the leader's clock.
   */
  public static final long NOT_LOGGED = -1;

  public Lease {
    if (ttlSeconds <= 0 || renewedAt < NOT_LOGGED) {
      throw new IllegalArgumentException("ttl " + ttlSeconds + ", renewed at " + renewedAt);
    }
  }

  /** Whether the log knows a renewal. */
  public boolean isLogged() {
    return renewedAt != NOT_LOGGED;
  }

  /** Milliseconds left at a time of the lease clock; negative when it is over. */
  public long remainingMillis(long clock) {
    return expiresAt(isLogged() ? renewedAt : clock) - clock;
  }

  /** When the lease ends if its last renewal was at {@code renewal}. */
  public long expiresAt(long renewal) {
    return renewal + ttlSeconds * 1000;
  }
}
