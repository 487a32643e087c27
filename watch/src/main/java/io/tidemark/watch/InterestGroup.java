package io.tidemark.watch;

import io.tidemark.mvcc.KeyRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Members that want exactly the same events: same keys, same filters, same variant. One match and
 * one list of events serve all of them. Groups of the same keys form a chain.
 *
 * <p>Most groups have one member, and there is one group for each watched key: members stand in a
 * bare array, which costs half of a list.
 *
 * @param <M> who is interested
 */
final class InterestGroup<M> {
  private final boolean noPut;
  private final boolean noDelete;
  private final boolean prevKv;
  private @Nullable Object[] members = new @Nullable Object[1];
  private int size;

  final KeyRange range;

  /** Place in the tree of ranges; null for a single key. */
  final @Nullable KeySpan<M> span;

  /** The next group of the same keys. */
  @Nullable InterestGroup<M> next;

  /** What the dispatcher hands to all members at the end of its turn. */
  @Nullable EventRun turn;

  private List<EncodedEvent> pending = List.of();
  private long pendingBytes;

  InterestGroup(WatchSpec spec, @Nullable KeySpan<M> span, @Nullable InterestGroup<M> next) {
    this.range = spec.range();
    this.noPut = spec.noPut();
    this.noDelete = spec.noDelete();
    this.prevKv = spec.prevKv();
    this.span = span;
    this.next = next;
  }

  boolean serves(WatchSpec spec) {
    return noPut == spec.noPut() && noDelete == spec.noDelete() && prevKv == spec.prevKv();
  }

  /** The group of this chain that serves these wishes. */
  static <M> @Nullable InterestGroup<M> find(@Nullable InterestGroup<M> chain, WatchSpec spec) {
    for (InterestGroup<M> group = chain; group != null; group = group.next) {
      if (group.serves(spec)) {
        return group;
      }
    }
    return null;
  }

  /** The chain without one of its groups. */
  static <M> @Nullable InterestGroup<M> without(InterestGroup<M> chain, InterestGroup<M> gone) {
    if (chain == gone) {
      return gone.next;
    }
    for (InterestGroup<M> group = chain; group.next != null; group = group.next) {
      if (group.next == gone) {
        group.next = gone.next;
        break;
      }
    }
    return chain;
  }

  int size() {
    return size;
  }

  @SuppressWarnings("unchecked") // nothing else is ever put in
  M member(int slot) {
    if (slot >= size) {
      throw new IndexOutOfBoundsException(slot);
    }
    return (M) members[slot];
  }

  /** Adds a member; says its slot. */
  int add(M member) {
    if (size == members.length) {
      members = Arrays.copyOf(members, size + Math.max(1, size / 2));
    }
    members[size] = member;
    return size++;
  }

  M removeLast() {
    M last = member(size - 1);
    size--;
    members[size] = null;
    return last;
  }

  void set(int slot, M member) {
    members[slot] = member;
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
