package io.tidemark.statemachine.testing;

import com.google.protobuf.ByteString;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.Compare;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.DeleteRangeResponse;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.PutResponse;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RangeResponse;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.ResponseHeader;
import io.tidemark.api.etcdserverpb.ResponseOp;
import io.tidemark.api.etcdserverpb.TxnRequest;
import io.tidemark.api.etcdserverpb.TxnResponse;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.mvcc.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One command of the reference: works on a copy of the newest map, which is kept or dropped. */
final class ReferenceTxn {
  private final ReferenceStore store;
  private final NavigableMap<ByteString, KeyValue> before;
  private final NavigableMap<ByteString, KeyValue> pairs;
  private final List<Change> changes = new ArrayList<>();

  ReferenceTxn(ReferenceStore store) {
    this.store = store;
    this.before = store.state(store.revision());
    this.pairs = new TreeMap<>(before);
  }

  NavigableMap<ByteString, KeyValue> pairs() {
    return pairs;
  }

  List<Change> changes() {
    return changes;
  }

  static @Nullable EtcdError shape(PutRequest request) {
    if (request.getKey().isEmpty()) {
      return EtcdError.EMPTY_KEY;
    }
    if (request.getIgnoreValue() && !request.getValue().isEmpty()) {
      return EtcdError.VALUE_PROVIDED;
    }
    boolean lease = request.getIgnoreLease() && request.getLease() != 0;
    return lease ? EtcdError.LEASE_PROVIDED : null;
  }

  boolean keepsMissing(PutRequest request) {
    return (request.getIgnoreValue() || request.getIgnoreLease())
        && !pairs.containsKey(request.getKey());
  }

  private ResponseHeader header() {
    return ReferenceStore.header(store.revision() + (changes.isEmpty() ? 0 : 1));
  }

  PutResponse put(PutRequest request) {
    KeyValue old = pairs.get(request.getKey());
    long revision = store.revision() + 1;
    KeyValue.Builder pair =
        KeyValue.newBuilder()
            .setKey(request.getKey())
            .setValue(request.getValue())
            .setLease(request.getLease())
            .setModRevision(revision)
            .setCreateRevision(old == null ? revision : old.getCreateRevision())
            .setVersion(old == null ? 1 : old.getVersion() + 1);
    if (request.getIgnoreValue() && old != null) {
      pair.setValue(old.getValue());
    }
    if (request.getIgnoreLease() && old != null) {
      pair.setLease(old.getLease());
    }
    pairs.put(request.getKey(), pair.build());
    changes.add(new Change(false, pair.build(), old == null ? null : before.get(request.getKey())));
    PutResponse.Builder response = PutResponse.newBuilder().setHeader(header());
    if (request.getPrevKv() && old != null) {
      response.setPrevKv(old);
    }
    return response.build();
  }

  DeleteRangeResponse delete(DeleteRangeRequest request) {
    List<KeyValue> deleted = ReferenceRange.select(pairs, request.getKey(), request.getRangeEnd());
    for (KeyValue pair : deleted) {
      pairs.remove(pair.getKey());
      KeyValue tombstone =
          KeyValue.newBuilder().setKey(pair.getKey()).setModRevision(store.revision() + 1).build();
      changes.add(new Change(true, tombstone, before.get(pair.getKey())));
    }
    DeleteRangeResponse.Builder response =
        DeleteRangeResponse.newBuilder().setHeader(header()).setDeleted(deleted.size());
    return request.getPrevKv() ? response.addAllPrevKvs(deleted).build() : response.build();
  }

  private RangeResponse range(RangeRequest request) {
    long headerRevision = header().getRevision();
    NavigableMap<ByteString, KeyValue> at =
        request.getRevision() <= 0 ? pairs : store.state(request.getRevision());
    return ReferenceRange.answer(request, at, headerRevision);
  }

  TxnResponse run(TxnRequest request, boolean outermost) {
    boolean succeeded = holds(request);
    TxnResponse.Builder response = TxnResponse.newBuilder().setSucceeded(succeeded);
    for (RequestOp op : branch(request)) {
      ResponseOp.Builder answer = ResponseOp.newBuilder();
      if (op.hasRequestRange()) {
        answer.setResponseRange(range(op.getRequestRange()));
      } else if (op.hasRequestPut()) {
        answer.setResponsePut(put(op.getRequestPut()));
      } else if (op.hasRequestDeleteRange()) {
        answer.setResponseDeleteRange(delete(op.getRequestDeleteRange()));
      } else {
        answer.setResponseTxn(run(op.getRequestTxn(), false));
      }
      response.addResponses(answer);
    }
    return response.setHeader(outermost ? header() : ResponseHeader.getDefaultInstance()).build();
  }

  private List<RequestOp> branch(TxnRequest request) {
    return holds(request) ? request.getSuccessList() : request.getFailureList();
  }

  /** Always against the state before the whole transaction. */
  private boolean holds(TxnRequest request) {
    for (Compare compare : request.getCompareList()) {
      List<KeyValue> found = ReferenceRange.select(before, compare.getKey(), compare.getRangeEnd());
      if (found.isEmpty()) {
        if (compare.getTarget() == Compare.CompareTarget.VALUE) {
          return false;
        }
        found = List.of(KeyValue.getDefaultInstance());
      }
      for (KeyValue pair : found) {
        if (!holds(compare, pair)) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean holds(Compare compare, KeyValue pair) {
    int order = 0;
    switch (compare.getTarget()) {
      case VERSION -> order = Long.compare(pair.getVersion(), compare.getVersion());
      case CREATE -> order = Long.compare(pair.getCreateRevision(), compare.getCreateRevision());
      case MOD -> order = Long.compare(pair.getModRevision(), compare.getModRevision());
      case LEASE -> order = Long.compare(pair.getLease(), compare.getLease());
      case VALUE ->
          order =
              ByteString.unsignedLexicographicalComparator()
                  .compare(pair.getValue(), compare.getValue());
      case UNRECOGNIZED -> throw new AssertionError("not generated");
    }
    return switch (compare.getResult()) {
      case EQUAL -> order == 0;
      case NOT_EQUAL -> order != 0;
      case GREATER -> order > 0;
      case LESS -> order < 0;
      case UNRECOGNIZED -> throw new AssertionError("not generated");
    };
  }

  @Nullable EtcdError refusal(TxnRequest request) {
    EtcdError shape = shape(request);
    if (shape != null) {
      return shape;
    }
    if (ReferenceDuplicates.clash(request.getSuccessList())
        || ReferenceDuplicates.clash(request.getFailureList())) {
      return EtcdError.DUPLICATE_KEY;
    }
    return pathRefusal(request, new TreeMap<>(before));
  }

  private static @Nullable EtcdError shape(TxnRequest request) {
    for (Compare compare : request.getCompareList()) {
      if (compare.getKey().isEmpty()) {
        return EtcdError.EMPTY_KEY;
      }
    }
    List<RequestOp> both = new ArrayList<>(request.getSuccessList());
    both.addAll(request.getFailureList());
    for (RequestOp op : both) {
      EtcdError wrong = null;
      if (op.hasRequestRange()) {
        wrong = op.getRequestRange().getKey().isEmpty() ? EtcdError.EMPTY_KEY : null;
      } else if (op.hasRequestPut()) {
        wrong = shape(op.getRequestPut());
      } else if (op.hasRequestDeleteRange()) {
        wrong = op.getRequestDeleteRange().getKey().isEmpty() ? EtcdError.EMPTY_KEY : null;
      } else if (op.hasRequestTxn()) {
        wrong = shape(op.getRequestTxn());
      } else {
        wrong = EtcdError.KEY_NOT_FOUND;
      }
      if (wrong != null) {
        return wrong;
      }
    }
    return null;
  }

  /** The keys left of the state before, minus those that the path has deleted so far. */
  private @Nullable EtcdError pathRefusal(
      TxnRequest request, NavigableMap<ByteString, KeyValue> left) {
    for (RequestOp op : branch(request)) {
      if (op.hasRequestRange()) {
        long revision = op.getRequestRange().getRevision();
        if (revision > store.revision()) {
          return EtcdError.FUTURE_REV;
        }
        if (revision != 0 && revision < store.compactRevision()) {
          return EtcdError.COMPACTED;
        }
      } else if (op.hasRequestPut()) {
        PutRequest put = op.getRequestPut();
        if (!store.mayAttach(put.getLease())) {
          return EtcdError.LEASE_NOT_FOUND;
        }
        if ((put.getIgnoreValue() || put.getIgnoreLease()) && !left.containsKey(put.getKey())) {
          return EtcdError.KEY_NOT_FOUND;
        }
      } else if (op.hasRequestDeleteRange()) {
        DeleteRangeRequest delete = op.getRequestDeleteRange();
        left.keySet()
            .removeIf(key -> ReferenceRange.contains(delete.getKey(), delete.getRangeEnd(), key));
      } else {
        EtcdError refusal = pathRefusal(op.getRequestTxn(), left);
        if (refusal != null) {
          return refusal;
        }
      }
    }
    return null;
  }
}
