package io.tidemark.watch;

import io.tidemark.mvcc.RevisionBatch;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The newest revisions, bounded in bytes and number. The oldest go first and nobody is waited for:
 * a reader that comes too late gets null and reads the disk.
 *
 * <p>Thread: {@link #append} and {@link #reset} on the apply thread only; readers on any thread,
 * without locks. A reader checks the revision of what it finds, so a slot that was reused or
 * emptied meanwhile is a miss, never a wrong answer.
 */
final class RevisionRing {
  private final long bytesMax;
  private final int revisionsMax;
  private final int mask;

  private volatile AtomicReferenceArray<@Nullable RevisionBatch> slots;
  private volatile long newest;
  private volatile long oldest;
  private volatile long bytes;

  RevisionRing(long bytesMax, int revisionsMax, long revision) {
    this.bytesMax = bytesMax;
    this.revisionsMax = revisionsMax;
    int size = Integer.highestOneBit(Math.max(2, revisionsMax) - 1) << 1;
    this.mask = size - 1;
    this.slots = new AtomicReferenceArray<>(size);
    this.newest = revision;
    this.oldest = revision + 1;
  }

  /** Adds the revision after the newest one. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void append(RevisionBatch batch) {
    long revision = batch.revision();
    Invariants.check(revision == newest + 1, "ring: %s published after %s", revision, newest);
    AtomicReferenceArray<@Nullable RevisionBatch> into = slots;
    long total = bytes + batch.bytes();
    long first = oldest;
    // The newest stays whatever its size: the dispatcher is about to read it.
    while (first < revision && (total > bytesMax || revision - first >= revisionsMax)) {
      RevisionBatch evicted = into.getAndSet((int) (first & mask), null);
      total -= evicted == null ? 0 : evicted.bytes();
      first++;
    }
    oldest = first;
    into.set((int) (revision & mask), batch);
    bytes = total;
    newest = revision;
  }

  /** Forgets everything; the next revision appended is the one after {@code revision}. */
  void reset(long revision) {
    slots = new AtomicReferenceArray<>(mask + 1);
    bytes = 0;
    oldest = revision + 1;
    newest = revision;
  }

  /** The batch of a revision, or null when it is not or no longer here. */
  @Nullable RevisionBatch get(long revision) {
    RevisionBatch batch = slots.get((int) (revision & mask));
    return batch != null && batch.revision() == revision ? batch : null;
  }

  /** The newest revision published, kept or not. */
  long newest() {
    return newest;
  }

  int revisions() {
    return (int) Math.max(0, newest - oldest + 1);
  }

  long bytes() {
    return bytes;
  }
}
