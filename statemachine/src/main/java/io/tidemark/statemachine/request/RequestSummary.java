package io.tidemark.statemachine.request;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import com.google.protobuf.TextFormat;
import io.tidemark.api.etcdserverpb.CompactionRequest;
import io.tidemark.api.etcdserverpb.Compare;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.LeaseRevokeRequest;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.TxnRequest;
import java.util.List;

/**
 * A request as the log may show it: keys cut short, sizes in place of values, and of requests that
 * may hold a secret nothing at all. A few hundred characters at most, near to etcd's spelling.
 */
public final class RequestSummary {
  private static final int KEY_BYTES_MAX = 64;

  /** Of one list. */
  private static final int PARTS_MAX = 3;

  private final StringBuilder text = new StringBuilder();

  private RequestSummary() {}

  /** The summary of a request; empty for one of which nothing is to be shown. */
  public static String of(MessageLite request) {
    RequestSummary summary = new RequestSummary();
    summary.add(request);
    return summary.text.toString();
  }

  private void add(MessageLite request) {
    if (request instanceof RangeRequest range) {
      range(range);
    } else if (request instanceof PutRequest put) {
      key(put.getKey(), ByteString.EMPTY);
      word("value_size:" + put.getValue().size());
      number("lease", put.getLease());
    } else if (request instanceof DeleteRangeRequest delete) {
      key(delete.getKey(), delete.getRangeEnd());
    } else if (request instanceof TxnRequest txn) {
      txn(txn);
    } else if (request instanceof CompactionRequest compaction) {
      number("revision", compaction.getRevision());
      flag("physical", compaction.getPhysical());
    } else if (request instanceof LeaseGrantRequest grant) {
      number("TTL", grant.getTTL());
      number("ID", grant.getID());
    } else if (request instanceof LeaseRevokeRequest revoke) {
      number("ID", revoke.getID());
    }
  }

  private void range(RangeRequest range) {
    key(range.getKey(), range.getRangeEnd());
    number("limit", range.getLimit());
    number("revision", range.getRevision());
    flag("serializable", range.getSerializable());
    flag("keys_only", range.getKeysOnly());
    flag("count_only", range.getCountOnly());
  }

  private void txn(TxnRequest txn) {
    list("compare", txn.getCompareList().stream().limit(PARTS_MAX).map(this::compare).toList());
    more(txn.getCompareCount());
    operations("success", txn.getSuccessList());
    operations("failure", txn.getFailureList());
  }

  private String compare(Compare compare) {
    RequestSummary part = new RequestSummary();
    part.word(compare.getTarget().name());
    part.key(compare.getKey(), compare.getRangeEnd());
    return part.text.toString();
  }

  private void operations(String name, List<RequestOp> operations) {
    list(name, operations.stream().limit(PARTS_MAX).map(RequestSummary::operation).toList());
    more(operations.size());
  }

  private static String operation(RequestOp operation) {
    return switch (operation.getRequestCase()) {
      case REQUEST_RANGE -> "range " + of(operation.getRequestRange());
      case REQUEST_PUT -> "put " + of(operation.getRequestPut());
      case REQUEST_DELETE_RANGE -> "delete " + of(operation.getRequestDeleteRange());
      // Not what is inside: transactions nest, and one line has an end.
      case REQUEST_TXN -> "txn";
      case REQUEST_NOT_SET -> "nothing";
    };
  }

  private void list(String name, List<String> parts) {
    if (!parts.isEmpty()) {
      word(name + ":<" + String.join("; ", parts) + ">");
    }
  }

  private void more(int size) {
    if (size > PARTS_MAX) {
      word("and " + (size - PARTS_MAX) + " more");
    }
  }

  private void key(ByteString key, ByteString rangeEnd) {
    word("key:" + quoted(key));
    if (!rangeEnd.isEmpty()) {
      word("range_end:" + quoted(rangeEnd));
    }
  }

  private static String quoted(ByteString key) {
    if (key.size() <= KEY_BYTES_MAX) {
      return '"' + TextFormat.escapeBytes(key) + '"';
    }
    return '"' + TextFormat.escapeBytes(key.substring(0, KEY_BYTES_MAX)) + "\"..." + key.size();
  }

  private void number(String name, long value) {
    if (value != 0) {
      word(name + ":" + value);
    }
  }

  private void flag(String name, boolean value) {
    if (value) {
      word(name + ":true");
    }
  }

  private void word(String word) {
    if (!text.isEmpty()) {
      text.append(' ');
    }
    text.append(word);
  }
}
