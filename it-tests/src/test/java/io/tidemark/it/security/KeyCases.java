package io.tidemark.it.security;

import static io.tidemark.it.security.RpcCases.OK;
import static io.tidemark.it.security.RpcCases.OURS;
import static io.tidemark.it.security.RpcCases.bytes;
import static io.tidemark.it.security.RpcCases.text;

import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.CompactionRequest;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.LeaseGrpc;
import io.tidemark.api.etcdserverpb.LeaseLeasesRequest;
import io.tidemark.api.etcdserverpb.LeaseRevokeRequest;
import io.tidemark.api.etcdserverpb.LeaseTimeToLiveRequest;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.TxnRequest;
import io.tidemark.api.v3electionpb.CampaignRequest;
import io.tidemark.api.v3electionpb.ElectionGrpc;
import io.tidemark.api.v3electionpb.LeaderKey;
import io.tidemark.api.v3electionpb.LeaderRequest;
import io.tidemark.api.v3electionpb.ProclaimRequest;
import io.tidemark.api.v3electionpb.ResignRequest;
import io.tidemark.api.v3lockpb.LockGrpc;
import io.tidemark.api.v3lockpb.LockRequest;
import io.tidemark.api.v3lockpb.UnlockRequest;
import io.tidemark.it.security.RpcCases.Case;
import io.tidemark.it.security.RpcCases.Needs;
import java.util.List;

/** Calls about keys, leases, locks and elections. */
final class KeyCases {
  private KeyCases() {}

  /** The user with just enough may read and write [k, m) and read all from y on. */
  static List<Case> all() {
    PutRequest put = PutRequest.newBuilder().setKey(bytes("k")).setPrevKv(true).build();
    RangeRequest get = RangeRequest.newBuilder().setKey(bytes("k")).build();
    DeleteRangeRequest delete =
        DeleteRangeRequest.newBuilder()
            .setKey(bytes("l"))
            .setRangeEnd(bytes("m"))
            .setPrevKv(true)
            .build();
    TxnRequest write =
        TxnRequest.newBuilder()
            .addSuccess(RequestOp.newBuilder().setRequestPut(put))
            .addFailure(RequestOp.newBuilder().setRequestDeleteRange(delete))
            .build();
    TxnRequest nested =
        TxnRequest.newBuilder().addSuccess(RequestOp.newBuilder().setRequestTxn(write)).build();
    TxnRequest read =
        TxnRequest.newBuilder().addSuccess(RequestOp.newBuilder().setRequestRange(get)).build();
    RangeRequest open =
        RangeRequest.newBuilder().setKey(bytes("y")).setRangeEnd(bytes("\0")).build();
    return List.of(
        new Case("Put", KVGrpc.getPutMethod(), put, Needs.KEYS, OK),
        new Case("Range", KVGrpc.getRangeMethod(), get, Needs.KEYS, OK),
        new Case(
            "Range serializable",
            KVGrpc.getRangeMethod(),
            get.toBuilder().setSerializable(true).build(),
            Needs.KEYS,
            OK),
        new Case("Range open", KVGrpc.getRangeMethod(), open, Needs.KEYS, OK),
        new Case("RangeStream", KVGrpc.getRangeStreamMethod(), get, Needs.KEYS, OK),
        new Case("DeleteRange", KVGrpc.getDeleteRangeMethod(), delete, Needs.KEYS, OK),
        new Case("Txn", KVGrpc.getTxnMethod(), write, Needs.KEYS, OK),
        new Case("Txn nested", KVGrpc.getTxnMethod(), nested, Needs.KEYS, OK),
        new Case("Txn reading", KVGrpc.getTxnMethod(), read, Needs.KEYS, OK),
        new Case(
            "Txn of nothing",
            KVGrpc.getTxnMethod(),
            TxnRequest.getDefaultInstance(),
            Needs.ANY_USER,
            OK),
        new Case(
            "Txn of nothing, through the log",
            KVGrpc.getTxnMethod(),
            TxnRequest.newBuilder()
                .addFailure(RequestOp.newBuilder().setRequestTxn(TxnRequest.getDefaultInstance()))
                .build(),
            Needs.ANY_USER,
            OK),
        new Case(
            "LeaseGrant",
            LeaseGrpc.getLeaseGrantMethod(),
            LeaseGrantRequest.newBuilder().setTTL(600).build(),
            Needs.ANY_USER,
            OK),
        new Case(
            "LeaseRevoke of nothing",
            LeaseGrpc.getLeaseRevokeMethod(),
            LeaseRevokeRequest.newBuilder().setID(99).build(),
            Needs.ANY_USER,
            text(EtcdError.LEASE_NOT_FOUND)),
        new Case(
            "LeaseTimeToLive",
            LeaseGrpc.getLeaseTimeToLiveMethod(),
            LeaseTimeToLiveRequest.newBuilder().setID(OURS).build(),
            Needs.ANY_USER,
            OK),
        new Case(
            "LeaseTimeToLive with keys",
            LeaseGrpc.getLeaseTimeToLiveMethod(),
            LeaseTimeToLiveRequest.newBuilder().setID(OURS).setKeys(true).build(),
            Needs.KEYS,
            OK),
        new Case(
            "LeaseLeases",
            LeaseGrpc.getLeaseLeasesMethod(),
            LeaseLeasesRequest.getDefaultInstance(),
            Needs.KEYS,
            OK),
        new Case(
            "Put on a lease",
            KVGrpc.getPutMethod(),
            put.toBuilder().setKey(bytes("kleased")).setLease(OURS).build(),
            Needs.KEYS,
            OK),
        new Case(
            "Leader",
            ElectionGrpc.getLeaderMethod(),
            LeaderRequest.newBuilder().setName(bytes("k")).build(),
            Needs.RECIPE_KEYS,
            "UNKNOWN election: no leader"),
        new Case(
            "Unlock",
            LockGrpc.getUnlockMethod(),
            UnlockRequest.newBuilder().setKey(bytes("k/1")).build(),
            Needs.RECIPE_KEYS,
            OK),
        new Case(
            "Lock",
            LockGrpc.getLockMethod(),
            LockRequest.newBuilder().setName(bytes("klock")).setLease(OURS).build(),
            Needs.RECIPE_KEYS,
            OK),
        new Case(
            "Campaign",
            ElectionGrpc.getCampaignMethod(),
            CampaignRequest.newBuilder().setName(bytes("kchair")).setLease(OURS).build(),
            Needs.RECIPE_KEYS,
            OK),
        new Case(
            "Observe",
            ElectionGrpc.getObserveMethod(),
            LeaderRequest.newBuilder().setName(bytes("kchair")).build(),
            Needs.RECIPE_KEYS,
            OK),
        new Case(
            "Resign",
            ElectionGrpc.getResignMethod(),
            ResignRequest.newBuilder().setLeader(LeaderKey.newBuilder().setKey(bytes("k"))).build(),
            Needs.RECIPE_KEYS,
            OK),
        new Case(
            "Proclaim",
            ElectionGrpc.getProclaimMethod(),
            ProclaimRequest.newBuilder()
                .setLeader(LeaderKey.newBuilder().setKey(bytes("k")).setRev(7).setLease(OURS))
                .build(),
            Needs.RECIPE_KEYS,
            "UNKNOWN election: not leader"),
        new Case(
            "Compact",
            KVGrpc.getCompactMethod(),
            CompactionRequest.newBuilder().setRevision(Long.MAX_VALUE).build(),
            Needs.ROOT,
            text(EtcdError.FUTURE_REV)));
  }
}
