package io.tidemark.statemachine.request;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.TxnRequest;
import java.util.List;
import java.util.TreeSet;

/**
 * Finds keys that one branch of a transaction would write twice: put twice, or put and deleted.
 *
 * <p>The order of the steps below decides what is found, and is etcd's: the deletes of a level
 * first, then its nested transactions one after the other, then the puts of the level. So a nested
 * put clashes with deletes of its own level and of nested transactions before it, but not with
 * those of nested transactions after it. The two branches of one nested transaction exclude each
 * other and may put the same key.
 */
final class DuplicateKeys {

  private DuplicateKeys() {}

  static boolean foundIn(TxnRequest request) {
    return new Branch().clashes(request.getSuccessList())
        || new Branch().clashes(request.getFailureList());
  }

  /** What the operations of one branch write, nested ones included. */
  private static final class Branch {
    private final TreeSet<ByteString> puts =
        new TreeSet<>(ByteString.unsignedLexicographicalComparator());
    private final IntervalSet deletes = new IntervalSet();

    /** Reads a list of operations into this branch; true if a key is written twice. */
    boolean clashes(List<RequestOp> operations) {
      for (RequestOp operation : operations) {
        if (operation.hasRequestDeleteRange()) {
          delete(operation.getRequestDeleteRange());
        }
      }
      for (RequestOp operation : operations) {
        if (operation.hasRequestTxn() && nestedClashes(operation.getRequestTxn())) {
          return true;
        }
      }
      for (RequestOp operation : operations) {
        if (operation.hasRequestPut()) {
          ByteString key = operation.getRequestPut().getKey();
          if (deletes.contains(key) || !puts.add(key)) {
            return true;
          }
        }
      }
      return false;
    }

    /**
     * An open end (one zero byte) is taken for the key that it looks like, and then the interval is
     * empty: etcd does not see such deletes here, and lets them meet a put.
     */
    private void delete(DeleteRangeRequest request) {
      ByteString key = request.getKey();
      if (request.getRangeEnd().isEmpty()) {
        deletes.addSingle(key);
      } else {
        deletes.add(key, request.getRangeEnd());
      }
    }

    private boolean nestedClashes(TxnRequest request) {
      Branch success = new Branch();
      Branch failure = new Branch();
      if (success.clashes(request.getSuccessList()) || failure.clashes(request.getFailureList())) {
        return true;
      }
      if (meets(success) || meets(failure)) {
        return true;
      }
      puts.addAll(success.puts);
      puts.addAll(failure.puts);
      deletes.addAll(success.deletes);
      deletes.addAll(failure.deletes);
      return false;
    }

    private boolean meets(Branch nested) {
      for (ByteString key : nested.puts) {
        if (puts.contains(key) || deletes.contains(key)) {
          return true;
        }
      }
      return false;
    }
  }
}
