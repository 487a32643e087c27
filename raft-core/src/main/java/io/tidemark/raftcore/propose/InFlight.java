package io.tidemark.raftcore.propose;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The entries on their way, by sequence. Guarded by the proposer's lock. */
final class InFlight {
  private final Map<Long, Batch> bySequence = new LinkedHashMap<>();
  private long bytes;

  void add(Batch batch) {
    bySequence.put(batch.sequence, batch);
    bytes += batch.bytes;
  }

  void remove(Batch batch) {
    if (bySequence.remove(batch.sequence, batch)) {
      bytes -= batch.bytes;
    }
  }

  /** The lowest sequence on its way, or {@code otherwise} if there is none. */
  long oldest(long otherwise) {
    return bySequence.isEmpty() ? otherwise : bySequence.keySet().iterator().next();
  }

  @Nullable Batch get(long sequence) {
    return bySequence.get(sequence);
  }

  /** A copy, so that batches may end while it is walked. */
  Collection<Batch> all() {
    return List.copyOf(bySequence.values());
  }

  int count() {
    return bySequence.size();
  }

  /** Commands whose callers still wait. */
  int commands() {
    int commands = 0;
    for (Batch batch : bySequence.values()) {
      commands += batch.waiting;
    }
    return commands;
  }

  long bytes() {
    return bytes;
  }
}
