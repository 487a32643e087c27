package io.tidemark.raftcore;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in the log when a member hears nothing of its leader's commit index any more, and when it
 * does again: in between, what it serves from its own store may be old. Thread: timer.
 */
final class LeaderSilence {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderSilence.class);

  private final String member;
  private final Duration bound;
  private Duration longest = Duration.ZERO;

  /**
   * Nothing is wrong yet.
   *
   * @param bound the age of the last news from which on it is worth a warning
   */
  LeaderSilence(String member, Duration bound) {
    this.member = member;
    this.bound = bound;
  }

  /**
   * Looks at how old the last news is.
   *
   * @param index the member's own applied index
   * @param revision revision of its own store
   * @return whether there is silence now
   */
  boolean look(Duration age, long index, long revision) {
    boolean silent = age.compareTo(bound) > 0;
    if (silent && longest.isZero()) {
      LOG.warn(
          "{}: nothing heard of the leader for {} ms; own store at revision {}, index {}",
          member,
          age.toMillis(),
          revision,
          index);
    } else if (!silent && !longest.isZero()) {
      LOG.info(
          "{}: the leader is heard again after {} ms; own store at revision {}, index {}",
          member,
          longest.toMillis(),
          revision,
          index);
    }
    longest = silent ? age : Duration.ZERO;
    return silent;
  }
}
