package io.tidemark.statemachine.testing;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RangeRequest.SortOrder;
import io.tidemark.api.etcdserverpb.RangeRequest.SortTarget;
import io.tidemark.api.etcdserverpb.RangeResponse;
import io.tidemark.api.mvccpb.KeyValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;

/** Ranges over a sorted map. Ties of a sort keep the order of the keys. */
final class ReferenceRange {
  private static final Comparator<ByteString> UNSIGNED =
      ByteString.unsignedLexicographicalComparator();
  private static final ByteString OPEN = ByteString.copyFrom(new byte[1]);

  private ReferenceRange() {}

  static boolean contains(ByteString key, ByteString end, ByteString candidate) {
    if (end.isEmpty()) {
      return key.equals(candidate);
    }
    boolean from = UNSIGNED.compare(candidate, key) >= 0;
    return from && (end.equals(OPEN) || UNSIGNED.compare(candidate, end) < 0);
  }

  static List<KeyValue> select(
      NavigableMap<ByteString, KeyValue> pairs, ByteString key, ByteString end) {
    List<KeyValue> selected = new ArrayList<>();
    for (KeyValue pair : pairs.values()) {
      if (contains(key, end, pair.getKey())) {
        selected.add(pair);
      }
    }
    return selected;
  }

  static RangeResponse answer(
      RangeRequest request, NavigableMap<ByteString, KeyValue> pairs, long headerRevision) {
    List<KeyValue> all = select(pairs, request.getKey(), request.getRangeEnd());
    RangeResponse.Builder response =
        RangeResponse.newBuilder()
            .setHeader(ReferenceStore.header(headerRevision))
            .setCount(all.size());
    if (request.getCountOnly()) {
      return response.build();
    }
    long limit = Math.max(0, request.getLimit());
    boolean plain = request.getSortOrder() == SortOrder.NONE && !filtered(request);
    List<KeyValue> kept = new ArrayList<>(all);
    if (plain && limit > 0 && kept.size() > limit + 1) {
      kept = new ArrayList<>(kept.subList(0, (int) limit + 1)); // cut first, sort afterwards
    }
    kept.removeIf(pair -> !admitted(request, pair));
    sort(request, kept);
    if (limit > 0 && kept.size() > limit) {
      kept = kept.subList(0, (int) limit);
      response.setMore(true);
    }
    for (KeyValue pair : kept) {
      response.addKvs(request.getKeysOnly() ? pair.toBuilder().clearValue().build() : pair);
    }
    return response.build();
  }

  private static void sort(RangeRequest request, List<KeyValue> kept) {
    SortOrder order = request.getSortOrder();
    if (order == SortOrder.NONE && request.getSortTarget() == SortTarget.KEY) {
      return;
    }
    Comparator<KeyValue> byTarget = comparator(request.getSortTarget());
    kept.sort(order == SortOrder.DESCEND ? byTarget.reversed() : byTarget);
  }

  private static Comparator<KeyValue> comparator(SortTarget target) {
    return switch (target) {
      case KEY -> Comparator.comparing(KeyValue::getKey, UNSIGNED);
      case VERSION -> Comparator.comparingLong(KeyValue::getVersion);
      case CREATE -> Comparator.comparingLong(KeyValue::getCreateRevision);
      case MOD -> Comparator.comparingLong(KeyValue::getModRevision);
      case VALUE -> Comparator.comparing(KeyValue::getValue, UNSIGNED);
      case UNRECOGNIZED -> throw new AssertionError("unchecked sort target");
    };
  }

  private static boolean filtered(RangeRequest request) {
    return request.getMinModRevision() != 0
        || request.getMaxModRevision() != 0
        || request.getMinCreateRevision() != 0
        || request.getMaxCreateRevision() != 0;
  }

  private static boolean admitted(RangeRequest request, KeyValue pair) {
    return within(pair.getModRevision(), request.getMinModRevision(), request.getMaxModRevision())
        && within(
            pair.getCreateRevision(),
            request.getMinCreateRevision(),
            request.getMaxCreateRevision());
  }

  private static boolean within(long value, long min, long max) {
    return (min == 0 || value >= min) && (max == 0 || value <= max);
  }
}
