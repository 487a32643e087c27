package io.tidemark.watch;

import java.util.ArrayList;
import java.util.List;

/**
 * Members that want exactly the same events: same keys, same filters, same variant. One match and
 * one list of events serve all of them.
 *
 * @param <M> who is interested
 */
final class InterestGroup<M> {
  private final boolean noPut;
  private final boolean noDelete;
  private final boolean prevKv;

  final KeySpan<M> span;
  final ArrayList<M> members = new ArrayList<>(1);

  private List<EncodedEvent> pending = List.of();
  private long pendingBytes;

  InterestGroup(KeySpan<M> span, WatchSpec spec) {
    this.span = span;
    this.noPut = spec.noPut();
    this.noDelete = spec.noDelete();
    this.prevKv = spec.prevKv();
  }

  boolean serves(WatchSpec spec) {
    return noPut == spec.noPut() && noDelete == spec.noDelete() && prevKv == spec.prevKv();
  }

  /** Takes change {@code index} of a batch unless it is filtered out; says if it was the first. */
  boolean offer(BatchEvents batch, int index) {
    if (batch.deletion(index) ? noDelete : noPut) {
      return false;
    }
    EncodedEvent event = prevKv ? batch.withPrevious(index) : batch.plain(index);
    pendingBytes += event.size();
    if (pending.isEmpty()) {
      pending = List.of(event);
      return true;
    }
    if (pending.size() == 1) {
      pending = new ArrayList<>(pending);
    }
    pending.add(event);
    return false;
  }

  long pendingBytes() {
    return pendingBytes;
  }

  /** The matched events of one batch, for all members; starts anew. */
  List<EncodedEvent> takePending() {
    List<EncodedEvent> events = pending;
    pending = List.of();
    pendingBytes = 0;
    return events;
  }
}
