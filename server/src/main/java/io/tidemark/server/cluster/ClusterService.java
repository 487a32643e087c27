package io.tidemark.server.cluster;

import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.ClusterGrpc;
import io.tidemark.api.etcdserverpb.MemberListRequest;
import io.tidemark.api.etcdserverpb.MemberListResponse;
import io.tidemark.mvcc.ReadView;
import io.tidemark.server.access.Gate;
import io.tidemark.server.access.Headers;
import io.tidemark.server.access.ReadLanes;
import io.tidemark.server.access.Reads;
import io.tidemark.server.access.Right;
import io.tidemark.server.rpc.Methods;
import io.tidemark.server.rpc.Reply;
import io.tidemark.server.rpc.Spliced;
import io.tidemark.statemachine.read.MemberTable;

/** {@code etcdserverpb.Cluster}: the member list. Its headers carry no revision, as in etcd. */
public final class ClusterService {
  private final Gate gate;
  private final Reads reads;
  private final ReadLanes lanes;
  private final Headers headers;

  public ClusterService(Gate gate, Reads reads, ReadLanes lanes, Headers headers) {
    this.gate = gate;
    this.reads = reads;
    this.lanes = lanes;
    this.headers = headers;
  }

  public void register(Methods methods) {
    methods.add(ClusterGrpc.getMemberListMethod(), MemberListRequest.parser(), this::memberList);
  }

  private void memberList(MemberListRequest request, Reply reply) {
    EtcdError refusal = gate.refusal(reply.headers());
    if (refusal != null) {
      reply.fail(refusal);
      return;
    }
    reads.answer(request.getLinearizable(), lanes.quick(), Right.KNOWN, reply, this::members);
  }

  private Spliced members(ReadView view) {
    return Spliced.of(
        MemberListResponse.newBuilder()
            .setHeader(headers.message(0))
            .addAllMembers(MemberTable.members(view))
            .build()
            .toByteString());
  }
}
