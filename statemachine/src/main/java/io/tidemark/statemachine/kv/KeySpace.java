package io.tidemark.statemachine.kv;

import com.google.protobuf.ByteString;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.mvcc.KeyRange;
import io.tidemark.mvcc.RangePage;
import io.tidemark.mvcc.RangeQuery;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The keys that a request reads: a pinned view of the store, or the store as an entry being applied
 * sees it, with that entry's own writes.
 *
 * <p>Owned by one thread at a time. Every method may read from disk.
 */
public interface KeySpace {
  /** The revision that an answer's header tells: the newest one, a running command's included. */
  long revision();

  /** The oldest readable revision; negative if nothing was ever compacted. */
  long compactRevision();

  /** The newest pair of a key, or null if there is none. */
  @Nullable KeyValue get(ByteString key);

  /**
   * Runs a query.
   *
   * @throws io.tidemark.mvcc.RevisionException if its revision is out of bounds
   */
  RangePage range(RangeQuery query);

  /** Visits the newest pairs of a range, ascending, until {@code visitor} returns false. */
  void forEach(KeyRange range, Predicate<KeyValue> visitor);
}
