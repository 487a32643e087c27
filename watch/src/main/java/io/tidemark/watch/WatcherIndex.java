package io.tidemark.watch;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds who is interested in a change: a hash map for single keys, a tree of distinct ranges. Equal
 * interests share a group, so that ten thousand watchers on one prefix cost one match. Thread: one.
 *
 * @param <M> who is interested
 */
final class WatcherIndex<M> {
  private final Map<ByteString, InterestGroup<M>> keys = new HashMap<>();
  private final SpanTree<M> ranges = new SpanTree<>();
  private final List<KeySpan<M>> found = new ArrayList<>();

  /** The group for this interest; the caller adds its member. */
  InterestGroup<M> group(WatchSpec spec) {
    boolean single = spec.range().isSingle();
    KeySpan<M> span = single ? null : ranges.getOrAdd(spec.range());
    InterestGroup<M> chain = span == null ? keys.get(spec.range().key()) : span.groups;
    InterestGroup<M> group = InterestGroup.find(chain, spec);
    if (group == null) {
      group = new InterestGroup<>(spec, span, chain);
      keep(group, group);
    }
    return group;
  }

  /** Drops a group that lost its last member. */
  void dropIfEmpty(InterestGroup<M> group) {
    if (group.size() > 0) {
      return;
    }
    KeySpan<M> span = group.span;
    InterestGroup<M> chain = span == null ? keys.get(group.range.key()) : span.groups;
    if (chain != null) {
      keep(group, InterestGroup.without(chain, group));
    }
  }

  /** Makes {@code chain} the groups of the keys that {@code of} is about. */
  private void keep(InterestGroup<M> of, @Nullable InterestGroup<M> chain) {
    KeySpan<M> span = of.span;
    if (span == null) {
      if (chain == null) {
        keys.remove(of.range.key());
      } else {
        keys.put(chain.range.key(), chain);
      }
      return;
    }
    span.groups = chain;
    if (chain == null) {
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
      collect(keys.get(key), batch, i, touched);
      if (!ranges.isEmpty()) {
        found.clear();
        ranges.find(key, found);
        for (KeySpan<M> span : found) {
          collect(span.groups, batch, i, touched);
        }
      }
    }
    return touched;
  }

  /** Every member of every group. */
  List<M> members() {
    List<M> members = new ArrayList<>();
    keys.values().forEach(chain -> addMembers(chain, members));
    List<KeySpan<M>> spans = new ArrayList<>();
    ranges.all(spans);
    spans.forEach(span -> addMembers(span.groups, members));
    return members;
  }

  private static <M> void addMembers(@Nullable InterestGroup<M> chain, List<M> members) {
    for (InterestGroup<M> group = chain; group != null; group = group.next) {
      for (int i = 0; i < group.size(); i++) {
        members.add(group.member(i));
      }
    }
  }

  private static <M> void collect(
      @Nullable InterestGroup<M> chain,
      BatchEvents batch,
      int index,
      List<InterestGroup<M>> touched) {
    for (InterestGroup<M> group = chain; group != null; group = group.next) {
      if (group.offer(batch, index)) {
        touched.add(group);
      }
    }
  }
}
