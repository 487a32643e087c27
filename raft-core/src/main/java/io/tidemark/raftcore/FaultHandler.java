package io.tidemark.raftcore;

/**
 * Told once when a member can't go on: its disk or its data can't be trusted, or Ratis gave up.
 *
 * <p>The member has stopped serving by then. Only a program's {@code main} may end the process; an
 * embedding application decides for itself. Called on any thread; must not block on the member.
 */
@FunctionalInterface
public interface FaultHandler {
  /**
   * Reports the fault.
   *
   * @param member the member's name
   * @param what what was being done, for a log line
   * @param cause why it failed
   */
  void onFault(String member, String what, Throwable cause);

  /**
   * The member was removed from its cluster and has stopped serving. That is no fault of its own;
   * whoever doesn't tell it apart hears of a fault.
   */
  default void onRemoved(String member) {
    onFault(
        member,
        "membership",
        new IllegalStateException("the member has been permanently removed from the cluster"));
  }
}
