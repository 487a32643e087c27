package io.tidemark.statemachine.lease;

import java.util.List;

/**
 * What an entry did to the leases.
 *
 * @param clock the newest logged clock if the entry moved it, else {@link #SAME_CLOCK}
 * @param granted ids of new leases, in order; some may be revoked by the same entry
 * @param revoked how many were revoked, expired ones included
 * @param expired how many of them had expired
 */
public record LeaseChanges(long clock, List<Long> granted, int revoked, int expired) {
  /** The entry said nothing about the time. */
  public static final long SAME_CLOCK = -1;

  /** An entry without leases. */
  public static final LeaseChanges NONE = new LeaseChanges(SAME_CLOCK, List.of(), 0, 0);

  public LeaseChanges {
    granted = List.copyOf(granted);
  }
}
