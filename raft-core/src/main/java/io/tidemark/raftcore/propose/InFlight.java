package io.tidemark.raftcore.propose;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The entries on their way, by sequence. Guarded by the proposer's lock. */
final class InFlight {
  private final Map<Long, Batch> bySequence = new LinkedHashMap<>();
  private int active;
  private long bytes;

  void add(Batch batch) {
    bySequence.put(batch.sequence, batch);
    active++;
    bytes += batch.bytes;
  }

  /** The batch stops taking a place; it stays known. */
  void release(Batch batch) {
    active--;
    bytes -= batch.bytes;
  }

  void remove(Batch batch) {
    bySequence.remove(batch.sequence);
  }

  @Nullable Batch get(long sequence) {
    return bySequence.get(sequence);
  }

  /** A copy, so that batches may end while it is walked. */
  Collection<Batch> all() {
    return List.copyOf(bySequence.values());
  }

  int active() {
    return active;
  }

  long bytes() {
    return bytes;
  }
}
