package io.tidemark.raftcore.apply;

import io.tidemark.statemachine.AppliedEntry;

/** Hears of everything applied, in order, once it is readable. Thread: apply; must not block. */
public interface ApplyListener {
  /** An entry with commands of {@code bytes} bytes was applied. */
  void applied(AppliedEntry entry, long index, int bytes);

  /** An entry without commands was passed. */
  void advanced(long index);

  /** A snapshot replaced the store, which now stands at {@code index}. */
  void restored(long index);
}
