package io.tidemark.statemachine.kv;

import com.google.protobuf.ByteString;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.mvcc.CompactedException;
import io.tidemark.mvcc.FutureRevisionException;
import io.tidemark.mvcc.KeyRange;
import io.tidemark.mvcc.RangeQuery;
import io.tidemark.mvcc.RevisionBounds;
import io.tidemark.mvcc.RevisionException;
import io.tidemark.mvcc.SortOrder;
import io.tidemark.mvcc.SortTarget;
import org.jspecify.annotations.Nullable;

/** What a range request means, and its answer. */
public final class Ranges {
  private Ranges() {}

  /**
   * The store's query for a request.
   *
   * @param request a request that has passed the request checks: its sort options are known ones
   */
  public static RangeQuery query(RangeRequest request) {
    RevisionBounds bounds =
        new RevisionBounds(
            request.getMinModRevision(),
            request.getMaxModRevision(),
            request.getMinCreateRevision(),
            request.getMaxCreateRevision());
    return new RangeQuery(
        new KeyRange(request.getKey(), request.getRangeEnd()),
        Math.max(0, request.getRevision()),
        Math.max(0, request.getLimit()),
        order(request.getSortOrder()),
        target(request.getSortTarget()),
        request.getKeysOnly(),
        request.getCountOnly(),
        bounds.isUnset() ? RevisionBounds.NONE : bounds);
  }

  /**
   * Why a transaction may not read at the revision that a range in it asks for; null if it may.
   *
   * <p>Unlike a range on its own, a negative revision is not taken for "newest" here: it is
   * compacted as soon as it lies below the compact revision.
   *
   * @param before the state before the transaction
   */
  static @Nullable RevisionException refusalInTxn(RangeRequest request, KeySpace before) {
    long revision = request.getRevision();
    if (revision == 0) {
      return null;
    }
    if (revision > before.revision()) {
      return new FutureRevisionException(revision, before.revision());
    }
    return revision < before.compactRevision()
        ? new CompactedException(revision, before.compactRevision())
        : null;
  }

  /** The error that tells a client why a revision cannot be read. */
  public static EtcdError error(RevisionException refusal) {
    return refusal instanceof CompactedException ? EtcdError.COMPACTED : EtcdError.FUTURE_REV;
  }

  /**
   * The serialized RangeResponse.
   *
   * @throws io.tidemark.mvcc.RevisionException if the revision asked for is out of bounds
   */
  public static ByteString answer(RangeRequest request, KeySpace keys) {
    return ResponseBytes.range(keys.revision(), keys.range(query(request)));
  }

  private static SortOrder order(RangeRequest.SortOrder order) {
    return switch (order) {
      case NONE -> SortOrder.NONE;
      case ASCEND -> SortOrder.ASCEND;
      case DESCEND -> SortOrder.DESCEND;
      case UNRECOGNIZED ->
          throw new IllegalArgumentException("an unknown sort order passed the checks");
    };
  }

  private static SortTarget target(RangeRequest.SortTarget target) {
    return switch (target) {
      case KEY -> SortTarget.KEY;
      case VERSION -> SortTarget.VERSION;
      case CREATE -> SortTarget.CREATE;
      case MOD -> SortTarget.MOD;
      case VALUE -> SortTarget.VALUE;
      case UNRECOGNIZED ->
          throw new IllegalArgumentException("an unknown sort target passed the checks");
    };
  }
}
