package io.tidemark.server.concurrency;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.Compare;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.TxnRequest;

/** How the keys of a queue are called, and the requests about them. */
final class Keys {
  private Keys() {}

  /** Where the keys of a queue begin. */
  static ByteString prefix(ByteString name) {
    return name.concat(ByteString.copyFromUtf8("/"));
  }

  /** The key of a lease in a queue; a negative id has a minus sign, as Go prints it. */
  static ByteString key(ByteString name, long lease) {
    return prefix(name).concat(ByteString.copyFromUtf8(Long.toString(lease, 16)));
  }

  /** The key of the longest waiting. */
  static RangeRequest oldest(ByteString prefix) {
    return queue(prefix)
        .setLimit(1)
        .setSortTarget(RangeRequest.SortTarget.CREATE)
        .setSortOrder(RangeRequest.SortOrder.ASCEND)
        .build();
  }

  /** The youngest key that is older than a revision. */
  static RangeRequest before(ByteString prefix, long revision) {
    return queue(prefix)
        .setLimit(1)
        .setSortTarget(RangeRequest.SortTarget.CREATE)
        .setSortOrder(RangeRequest.SortOrder.DESCEND)
        .setMaxCreateRevision(revision - 1)
        .build();
  }

  /** One key. */
  static RangeRequest get(ByteString key) {
    return RangeRequest.newBuilder().setKey(key).build();
  }

  static DeleteRangeRequest delete(ByteString key) {
    return DeleteRangeRequest.newBuilder().setKey(key).build();
  }

  /** The end of the range of keys with a prefix, which ends in a slash. */
  static ByteString end(ByteString prefix) {
    int last = prefix.size() - 1;
    return prefix
        .substring(0, last)
        .concat(ByteString.copyFrom(new byte[] {(byte) (prefix.byteAt(last) + 1)}));
  }

  /** Stands at the end of the queue, unless the key stands there already: then gets it. */
  static TxnRequest.Builder join(ByteString key, ByteString value, long lease) {
    return TxnRequest.newBuilder()
        .addCompare(created(key, 0))
        .addSuccess(put(key, value, lease))
        .addFailure(RequestOp.newBuilder().setRequestRange(get(key)));
  }

  /** Holds if the key was created at a revision; 0 for a key that isn't there. */
  static Compare created(ByteString key, long revision) {
    return Compare.newBuilder()
        .setTarget(Compare.CompareTarget.CREATE)
        .setResult(Compare.CompareResult.EQUAL)
        .setKey(key)
        .setCreateRevision(revision)
        .build();
  }

  static RequestOp put(ByteString key, ByteString value, long lease) {
    return RequestOp.newBuilder()
        .setRequestPut(PutRequest.newBuilder().setKey(key).setValue(value).setLease(lease))
        .build();
  }

  private static RangeRequest.Builder queue(ByteString prefix) {
    return RangeRequest.newBuilder().setKey(prefix).setRangeEnd(end(prefix));
  }
}
