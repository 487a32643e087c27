package io.tidemark.statemachine.kv;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.Compare;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.mvcc.KeyRange;
import java.util.Comparator;
import java.util.List;

/** Tells whether a transaction's conditions hold. */
final class Compares {
  private static final Comparator<ByteString> UNSIGNED =
      ByteString.unsignedLexicographicalComparator();

  private Compares() {}

  /** True if every compare holds; true for none. */
  static boolean allHold(KeySpace keys, List<Compare> compares) {
    for (Compare compare : compares) {
      if (!holds(keys, compare)) {
        return false;
      }
    }
    return true;
  }

  private static boolean holds(KeySpace keys, Compare compare) {
    if (compare.getRangeEnd().isEmpty()) {
      KeyValue pair = keys.get(compare.getKey());
      return pair == null ? holdsForNothing(compare) : holdsFor(compare, pair);
    }
    RangeVerdict verdict = new RangeVerdict(compare);
    keys.forEach(new KeyRange(compare.getKey(), compare.getRangeEnd()), verdict::visit);
    return verdict.seen ? verdict.holds : holdsForNothing(compare);
  }

  /**
   * A key that does not exist compares like a pair of zeroes, so that version 0 means "absent". A
   * value cannot be told from an empty one on the wire, so a compare of values is false then,
   * whatever it asks.
   */
  private static boolean holdsForNothing(Compare compare) {
    return compare.getTarget() != Compare.CompareTarget.VALUE
        && holdsFor(compare, KeyValue.getDefaultInstance());
  }

  private static boolean holdsFor(Compare compare, KeyValue pair) {
    int order = order(compare, pair);
    return switch (compare.getResult()) {
      case EQUAL -> order == 0;
      case NOT_EQUAL -> order != 0;
      case GREATER -> order > 0;
      case LESS -> order < 0;
      case UNRECOGNIZED -> true; // as etcd has it: a relation nobody knows forbids nothing
    };
  }

  /** An operand that is absent, or belongs to another target, counts as zero or empty. */
  private static int order(Compare compare, KeyValue pair) {
    return switch (compare.getTarget()) {
      case VERSION -> Long.compare(pair.getVersion(), compare.getVersion());
      case CREATE -> Long.compare(pair.getCreateRevision(), compare.getCreateRevision());
      case MOD -> Long.compare(pair.getModRevision(), compare.getModRevision());
      case LEASE -> Long.compare(pair.getLease(), compare.getLease());
      case VALUE -> UNSIGNED.compare(pair.getValue(), compare.getValue());
      case UNRECOGNIZED -> 0; // as etcd has it: nothing to compare is equal
    };
  }

  /** Folds the pairs of a range into one verdict; stops at the first pair that fails. */
  private static final class RangeVerdict {
    private final Compare compare;
    private boolean seen;
    private boolean holds = true;

    RangeVerdict(Compare compare) {
      this.compare = compare;
    }

    boolean visit(KeyValue pair) {
      seen = true;
      holds = holdsFor(compare, pair);
      return holds;
    }
  }
}
