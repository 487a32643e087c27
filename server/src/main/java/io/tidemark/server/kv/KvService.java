package io.tidemark.server.kv;

import io.grpc.Status;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.CompactionRequest;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.TxnRequest;
import io.tidemark.mvcc.RangePage;
import io.tidemark.mvcc.ReadView;
import io.tidemark.server.access.Guard;
import io.tidemark.server.access.Headers;
import io.tidemark.server.access.Quota;
import io.tidemark.server.access.ReadLanes;
import io.tidemark.server.access.Reads;
import io.tidemark.server.access.Right;
import io.tidemark.server.access.Writes;
import io.tidemark.server.rpc.Methods;
import io.tidemark.server.rpc.Reply;
import io.tidemark.server.rpc.Spliced;
import io.tidemark.statemachine.Command;
import io.tidemark.statemachine.read.KvReads;
import io.tidemark.statemachine.request.RequestChecks;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** {@code etcdserverpb.KV}. A call is first gated, then checked, then read or proposed. */
public final class KvService {
  /** Ranges of more keys than this are long reads. */
  private static final long QUICK_KEYS_MAX = 500;

  private final Guard guard;
  private final Quota quota;
  private final RequestChecks checks;
  private final Reads reads;
  private final Writes writes;
  private final ReadLanes lanes;
  private final Headers headers;
  private final int streamChunkBytes;

  /**
   * @param streamChunkBytes size that the chunks of a streamed range aim at
   */
  public KvService(
      Guard guard,
      Quota quota,
      RequestChecks checks,
      Reads reads,
      Writes writes,
      ReadLanes lanes,
      Headers headers,
      int streamChunkBytes) {
    this.guard = guard;
    this.quota = quota;
    this.checks = checks;
    this.reads = reads;
    this.writes = writes;
    this.lanes = lanes;
    this.headers = headers;
    this.streamChunkBytes = streamChunkBytes;
  }

  public void register(Methods methods) {
    methods
        .add(KVGrpc.getRangeMethod(), RangeRequest.parser(), this::range)
        .add(KVGrpc.getRangeStreamMethod(), RangeRequest.parser(), this::rangeStream)
        .add(KVGrpc.getPutMethod(), PutRequest.parser(), this::put)
        .add(KVGrpc.getDeleteRangeMethod(), DeleteRangeRequest.parser(), this::deleteRange)
        .add(KVGrpc.getTxnMethod(), TxnRequest.parser(), this::txn)
        .add(KVGrpc.getCompactMethod(), CompactionRequest.parser(), this::compact);
  }

  private void range(RangeRequest request, Reply reply) {
    if (refused(reply, checks.range(request))) {
      return;
    }
    reads.answer(
        !request.getSerializable(),
        lane(request),
        permissions -> permissions.range(request),
        reply,
        view -> rangeResponse(view, request));
  }

  private Spliced rangeResponse(ReadView view, RangeRequest request) {
    RangePage page = KvReads.range(view, request);
    return Spliced.of(
        headers.field(view.revision()), page.kvs(), RangeTail.of(page.more(), page.count()));
  }

  private void rangeStream(RangeRequest request, Reply reply) {
    if (refused(reply, checks.range(request))) {
      return;
    }
    String unsupported = checks.streamRefusal(request);
    if (unsupported != null) {
      reply.fail(Status.UNIMPLEMENTED.withDescription(unsupported));
      return;
    }
    RangeStreamCall call =
        new RangeStreamCall(request, reply, reads, lanes.scans(), headers, streamChunkBytes);
    reads.afterBarrier(!request.getSerializable(), lanes.scans(), reply, call::start);
  }

  private void put(PutRequest request, Reply reply) {
    if (grows(reply, Quota.cost(request)) && !failed(reply, checks.put(request))) {
      writes.propose(new Command.Put(request), reply);
    }
  }

  private void deleteRange(DeleteRangeRequest request, Reply reply) {
    if (!refused(reply, checks.deleteRange(request))) {
      writes.propose(new Command.DeleteRange(request), reply);
    }
  }

  private void txn(TxnRequest request, Reply reply) {
    if (!grows(reply, Quota.cost(request)) || failed(reply, checks.txn(request))) {
      return;
    }
    if (!checks.isReadOnly(request)) {
      writes.propose(new Command.Txn(request), reply);
      return;
    }
    reads.answer(
        !checks.isSerializableRead(request),
        lanes.scans(),
        permissions -> permissions.txn(request),
        reply,
        view -> headers.complete(KvReads.readOnlyTxnResponse(view, request)));
  }

  private void compact(CompactionRequest request, Reply reply) {
    if (refused(reply, null)) {
      return;
    }
    // Root's calls look at the caller first.
    guard.pass(
        reply,
        Right.ADMIN,
        caller -> {
          EtcdError wrong = checks.compact(request);
          if (wrong != null) {
            reply.fail(wrong);
          } else if (request.getPhysical()) {
            writes.compactPhysically(request, reply);
          } else {
            writes.propose(new Command.Compact(request), reply);
          }
        });
  }

  /** The gate comes first, whatever is wrong with the request. */
  private boolean refused(Reply reply, @Nullable EtcdError wrong) {
    EtcdError gated = guard.gate().refusal(reply.headers());
    return failed(reply, gated != null ? gated : wrong);
  }

  /** As above for what adds to the store: whether it fits comes before what is wrong with it. */
  private boolean grows(Reply reply, long cost) {
    return !refused(reply, null) && quota.admits(cost, reply);
  }

  private static boolean failed(Reply reply, @Nullable EtcdError refusal) {
    if (refusal != null) {
      reply.fail(refusal);
    }
    return refusal != null;
  }

  private Executor lane(RangeRequest request) {
    boolean single = request.getRangeEnd().isEmpty();
    boolean fewKeys = request.getLimit() > 0 && request.getLimit() <= QUICK_KEYS_MAX;
    boolean byKey =
        request.getSortTarget() == RangeRequest.SortTarget.KEY
            && request.getSortOrder() != RangeRequest.SortOrder.DESCEND;
    return single || (fewKeys && byKey) ? lanes.quick() : lanes.scans();
  }
}
