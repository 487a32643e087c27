package io.tidemark.raftcore.ratis;

/**
 * One attempt to append an entry here. Tells a refusal before the append (nothing happened) from
 * one after it (anything may happen).
 */
final class Submission {
  private volatile boolean appended;

  /** Called under Ratis's log lock, just before the append. */
  void markAppended() {
    appended = true;
  }

  boolean appended() {
    return appended;
  }
}
