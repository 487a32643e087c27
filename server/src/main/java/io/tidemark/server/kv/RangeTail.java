package io.tidemark.server.kv;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.RangeResponse;

/** The fields of a RangeResponse behind its pairs. */
final class RangeTail {
  private RangeTail() {}

  static ByteString of(boolean more, long count) {
    return RangeResponse.newBuilder().setMore(more).setCount(count).build().toByteString();
  }
}
