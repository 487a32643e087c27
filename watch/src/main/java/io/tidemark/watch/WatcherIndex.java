package io.tidemark.watch;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds who is interested in a change: a hash map for single keys, a tree of distinct ranges. Equal
 * interests share a group, so that ten thousand watchers on one prefix cost one match. Thread: one.
 *
 * @param <M> who is interested
 */
final class WatcherIndex<M> {
  private final Map<ByteString, KeySpan<M>> keys = new HashMap<>();
  private final SpanTree<M> ranges = new SpanTree<>();
  private final List<KeySpan<M>> found = new ArrayList<>();

  /** The group for this interest; the caller adds its member. */
  InterestGroup<M> group(WatchSpec spec) {
    KeySpan<M> span =
        spec.range().isSingle()
            ? keys.computeIfAbsent(spec.range().key(), key -> new KeySpan<>(spec.range(), 0))
            : ranges.getOrAdd(spec.range());
    return span.group(spec);
  }

  /** Drops a group that lost its last member. */
  void dropIfEmpty(InterestGroup<M> group) {
    KeySpan<M> span = group.span;
    if (!group.members.isEmpty()) {
      return;
    }
    span.groups.remove(group);
    if (!span.groups.isEmpty()) {
      return;
    }
    if (span.range.isSingle()) {
      keys.remove(span.range.key());
    } else {
      ranges.remove(span);
    }
  }

  /**
   * Collects the events of one batch in the groups they belong to, in operation order.
   *
   * @return the groups that got events; their pending lists must be taken before the next match
   */
  List<InterestGroup<M>> match(BatchEvents batch) {
    List<InterestGroup<M>> touched = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      ByteString key = batch.key(i);
      KeySpan<M> single = keys.get(key);
      if (single != null) {
        collect(single, batch, i, touched);
      }
      if (!ranges.isEmpty()) {
        found.clear();
        ranges.find(key, found);
        for (KeySpan<M> span : found) {
          collect(span, batch, i, touched);
        }
      }
    }
    return touched;
  }

  /** Every member of every group. */
  List<M> members() {
    List<KeySpan<M>> spans = new ArrayList<>(keys.values());
    ranges.all(spans);
    List<M> members = new ArrayList<>();
    for (KeySpan<M> span : spans) {
      for (InterestGroup<M> group : span.groups) {
        members.addAll(group.members);
      }
    }
    return members;
  }

  private static <M> void collect(
      KeySpan<M> span, BatchEvents batch, int index, List<InterestGroup<M>> touched) {
    for (InterestGroup<M> group : span.groups) {
      if (group.offer(batch, index)) {
        touched.add(group);
      }
    }
  }
}
