package io.tidemark.raftcore.apply;

import com.google.protobuf.ByteString;
import io.tidemark.statemachine.AppliedEntry;

/** Hears of everything applied, in order, once it is readable. Thread: apply; must not block. */
public interface ApplyListener {
  /**
   * An entry with commands was applied.
   *
   * @param bytes the entry as it stands in the log
   * @param beganNanos when applying it began, on the clock of {@link System#nanoTime}
   */
  void applied(AppliedEntry entry, long index, ByteString bytes, long beganNanos);

  /** An entry without commands was passed. */
  void advanced(long index);

  /** A snapshot replaced the store, which now stands at {@code index}. */
  void restored(long index);
}
