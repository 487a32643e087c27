package io.tidemark.mvcc;

import com.google.protobuf.ByteString;

/**
 * The answer to a {@link RangeQuery}.
 *
 * @param kvs a valid partial {@code RangeResponse} message that holds only field 2 (the entries),
 *     ready to be spliced between a header and the fields after it
 * @param size number of entries in {@code kvs}
 * @param count number of live keys in the range, whatever limit and filters say
 * @param more whether the limit cut entries off
 */
public record RangePage(ByteString kvs, int size, long count, boolean more) {
  static final RangePage EMPTY = new RangePage(ByteString.EMPTY, 0, 0, false);
}
