package io.tidemark.it.differential;

import com.google.protobuf.MessageLite;
import io.grpc.MethodDescriptor;
import io.tidemark.api.etcdserverpb.CompactionResponse;
import io.tidemark.api.etcdserverpb.DeleteRangeResponse;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.LeaseGrantResponse;
import io.tidemark.api.etcdserverpb.LeaseGrpc;
import io.tidemark.api.etcdserverpb.LeaseKeepAliveResponse;
import io.tidemark.api.etcdserverpb.LeaseLeasesResponse;
import io.tidemark.api.etcdserverpb.LeaseRevokeResponse;
import io.tidemark.api.etcdserverpb.LeaseTimeToLiveResponse;
import io.tidemark.api.etcdserverpb.PutResponse;
import io.tidemark.api.etcdserverpb.RangeResponse;
import io.tidemark.api.etcdserverpb.TxnResponse;
import io.tidemark.it.support.RawBytes;

/** The calls that are compared. */
enum Call {
  RANGE(KVGrpc.getRangeMethod(), RangeResponse.getDefaultInstance()),
  PUT(KVGrpc.getPutMethod(), PutResponse.getDefaultInstance()),
  DELETE_RANGE(KVGrpc.getDeleteRangeMethod(), DeleteRangeResponse.getDefaultInstance()),
  TXN(KVGrpc.getTxnMethod(), TxnResponse.getDefaultInstance()),
  COMPACT(KVGrpc.getCompactMethod(), CompactionResponse.getDefaultInstance()),
  LEASE_GRANT(LeaseGrpc.getLeaseGrantMethod(), LeaseGrantResponse.getDefaultInstance()),
  LEASE_REVOKE(LeaseGrpc.getLeaseRevokeMethod(), LeaseRevokeResponse.getDefaultInstance()),
  LEASE_KEEP_ALIVE(
      LeaseGrpc.getLeaseKeepAliveMethod(), LeaseKeepAliveResponse.getDefaultInstance()),
  LEASE_TIME_TO_LIVE(
      LeaseGrpc.getLeaseTimeToLiveMethod(), LeaseTimeToLiveResponse.getDefaultInstance()),
  LEASE_LEASES(LeaseGrpc.getLeaseLeasesMethod(), LeaseLeasesResponse.getDefaultInstance());

  private final MethodDescriptor<?, ?> method;
  private final MessageLite response;

  Call(MethodDescriptor<?, ?> method, MessageLite response) {
    this.method = method;
    this.response = response;
  }

  /** The method with bytes for messages. */
  MethodDescriptor<byte[], byte[]> rawMethod() {
    return method.toBuilder(RawBytes.MARSHALLER, RawBytes.MARSHALLER).build();
  }

  /** An empty message of the type that answers it. */
  MessageLite response() {
    return response;
  }
}
