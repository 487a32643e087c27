package io.tidemark.statemachine.testing;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.RequestOp;
import java.util.ArrayList;
import java.util.List;

/** The duplicate-key rule, every pair of writes looked at. */
final class ReferenceDuplicates {
  private final List<ByteString> puts = new ArrayList<>();
  private final List<DeleteRangeRequest> deletes = new ArrayList<>();
  private boolean clash;

  private ReferenceDuplicates() {}

  static boolean clash(List<RequestOp> branch) {
    return of(branch).clash;
  }

  private static ReferenceDuplicates of(List<RequestOp> branch) {
    ReferenceDuplicates found = new ReferenceDuplicates();
    for (RequestOp op : branch) {
      if (op.hasRequestDeleteRange()) {
        found.deletes.add(op.getRequestDeleteRange());
      }
    }
    for (RequestOp op : branch) {
      if (op.hasRequestTxn()) {
        ReferenceDuplicates then = of(op.getRequestTxn().getSuccessList());
        ReferenceDuplicates els = of(op.getRequestTxn().getFailureList());
        found.clash |= then.clash || els.clash;
        List<ByteString> nested = new ArrayList<>(then.puts);
        nested.addAll(els.puts);
        nested.forEach(key -> found.clash |= found.writes(key));
        found.puts.addAll(nested);
        found.deletes.addAll(then.deletes);
        found.deletes.addAll(els.deletes);
      }
    }
    for (RequestOp op : branch) {
      if (op.hasRequestPut()) {
        found.clash |= found.writes(op.getRequestPut().getKey());
        found.puts.add(op.getRequestPut().getKey());
      }
    }
    return found;
  }

  private boolean writes(ByteString key) {
    return puts.contains(key) || deletes.stream().anyMatch(delete -> covers(delete, key));
  }

  /** An end of one zero byte is taken literally here. */
  private static boolean covers(DeleteRangeRequest delete, ByteString key) {
    if (delete.getRangeEnd().isEmpty()) {
      return delete.getKey().equals(key);
    }
    return ByteString.unsignedLexicographicalComparator().compare(key, delete.getKey()) >= 0
        && ByteString.unsignedLexicographicalComparator().compare(key, delete.getRangeEnd()) < 0;
  }
}
