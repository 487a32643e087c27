package io.tidemark.server.cluster;

import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.ClusterGrpc;
import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.api.etcdserverpb.MemberAddRequest;
import io.tidemark.api.etcdserverpb.MemberListRequest;
import io.tidemark.api.etcdserverpb.MemberListResponse;
import io.tidemark.api.etcdserverpb.MemberPromoteRequest;
import io.tidemark.api.etcdserverpb.MemberRemoveRequest;
import io.tidemark.api.etcdserverpb.MemberUpdateRequest;
import io.tidemark.clusterconfig.MemberIds;
import io.tidemark.clusterconfig.PeerUrls;
import io.tidemark.mvcc.ReadView;
import io.tidemark.server.access.Guard;
import io.tidemark.server.access.Headers;
import io.tidemark.server.access.ReadLanes;
import io.tidemark.server.access.Reads;
import io.tidemark.server.access.Right;
import io.tidemark.server.access.Writes;
import io.tidemark.server.rpc.Methods;
import io.tidemark.server.rpc.Reply;
import io.tidemark.server.rpc.Spliced;
import io.tidemark.statemachine.member.MemberChange;
import io.tidemark.statemachine.read.MemberTable;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * {@code etcdserverpb.Cluster}: the member list and its changes. Its headers carry no revision, as
 * in etcd.
 */
public final class ClusterService {
  private final Guard guard;
  private final Reads reads;
  private final Writes writes;
  private final ReadLanes lanes;
  private final Headers headers;
  private final Rules rules;

  /**
   * What this member's flags say about changes.
   *
   * @param token the cluster token, part of new members' ids
   * @param strict refuse changes that could lose the quorum
   * @param learnersMax non-voting members at a time
   */
  public record Rules(String token, boolean strict, int learnersMax) {}

  public ClusterService(
      Guard guard, Reads reads, Writes writes, ReadLanes lanes, Headers headers, Rules rules) {
    this.guard = guard;
    this.reads = reads;
    this.writes = writes;
    this.lanes = lanes;
    this.headers = headers;
    this.rules = rules;
  }

  public void register(Methods methods) {
    methods
        .add(ClusterGrpc.getMemberListMethod(), MemberListRequest.parser(), this::memberList)
        .add(ClusterGrpc.getMemberAddMethod(), MemberAddRequest.parser(), this::memberAdd)
        .add(
            ClusterGrpc.getMemberRemoveMethod(),
            MemberRemoveRequest.parser(),
            (request, reply) ->
                change(new MemberChange.Remove(request.getID(), rules.strict()), reply))
        .add(
            ClusterGrpc.getMemberUpdateMethod(),
            MemberUpdateRequest.parser(),
            (request, reply) ->
                change(new MemberChange.Update(request.getID(), request.getPeerURLsList()), reply))
        .add(
            ClusterGrpc.getMemberPromoteMethod(),
            MemberPromoteRequest.parser(),
            (request, reply) ->
                change(new MemberChange.Promote(request.getID(), rules.strict()), reply));
  }

  private void memberList(MemberListRequest request, Reply reply) {
    EtcdError refusal = guard.gate().refusal(reply.headers());
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

  private void memberAdd(MemberAddRequest request, Reply reply) {
    Optional<List<URI>> urls = PeerUrls.checked(request.getPeerURLsList());
    if (urls.isEmpty()) {
      reply.fail(EtcdError.MEMBER_BAD_URLS);
      return;
    }
    long seconds = TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis());
    long id = MemberIds.memberId(urls.get(), rules.token(), OptionalLong.of(seconds));
    Member member =
        Member.newBuilder()
            .setID(id)
            .addAllPeerURLs(urls.get().stream().map(URI::toString).toList())
            .setIsLearner(request.getIsLearner())
            .build();
    change(new MemberChange.Add(member, rules.strict(), rules.learnersMax()), reply);
  }

  /** Root's calls look at the caller first. */
  private void change(MemberChange change, Reply reply) {
    EtcdError refusal = guard.gate().refusal(reply.headers());
    if (refusal != null) {
      reply.fail(refusal);
      return;
    }
    guard.pass(reply, Right.ADMIN, caller -> writes.changeMembers(change, reply));
  }
}
