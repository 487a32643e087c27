package io.tidemark.it.nemesis;

import java.util.Set;

/** One fault from its beginning to its end. One thread calls the methods in their order. */
interface Fault {
  /** Does it. */
  void inflict();

  /** Whom it hits. */
  Set<Integer> victims();

  /** Whether those it hits can't lead meanwhile. */
  boolean unseats();

  /** What shows, before it is healed, that it took effect; empty if nothing does. */
  String proof();

  /** Undoes it. Members need not be ready afterwards. */
  void heal();

  /**
   * Called when all members are ready again.
   *
   * @param proof what showed before that it took effect
   * @return the proof, with what shows only now; empty if that doesn't
   */
  default String confirm(String proof) {
    return proof;
  }
}
