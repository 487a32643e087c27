package io.tidemark.raftcore.read;

import java.util.List;
import java.util.function.Predicate;

/** What {@link ReadIndexRounds} needs to know of this member's leadership. Calls don't block. */
public interface Leadership {
  /** Whether this member leads and has committed an entry of its own term. */
  boolean ready();

  /** The current term. */
  long term();

  /** The highest committed index. */
  long committed();

  /**
   * Whether this member and those for which {@code acknowledged} holds are a majority of the
   * voters, and of the previous voters too while the configuration changes.
   */
  boolean majority(Predicate<String> acknowledged);

  /** The current lines to the followers. */
  List<Follower> followers();
}
