package io.tidemark.server.lease;

import com.google.protobuf.MessageLite;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.LeaseGrpc;
import io.tidemark.api.etcdserverpb.LeaseLeasesRequest;
import io.tidemark.api.etcdserverpb.LeaseLeasesResponse;
import io.tidemark.api.etcdserverpb.LeaseRevokeRequest;
import io.tidemark.api.etcdserverpb.LeaseStatus;
import io.tidemark.api.etcdserverpb.LeaseTimeToLiveRequest;
import io.tidemark.api.etcdserverpb.LeaseTimeToLiveResponse;
import io.tidemark.mvcc.ReadView;
import io.tidemark.server.access.Guard;
import io.tidemark.server.access.Headers;
import io.tidemark.server.access.LeaderLoss;
import io.tidemark.server.access.Quota;
import io.tidemark.server.access.ReadLanes;
import io.tidemark.server.access.Reads;
import io.tidemark.server.access.Replica;
import io.tidemark.server.access.Right;
import io.tidemark.server.access.Writes;
import io.tidemark.server.rpc.ArrivingBytes;
import io.tidemark.server.rpc.CallLoop;
import io.tidemark.server.rpc.Methods;
import io.tidemark.server.rpc.Reply;
import io.tidemark.server.rpc.Request;
import io.tidemark.server.rpc.RpcStatus;
import io.tidemark.server.rpc.Spliced;
import io.tidemark.statemachine.Command;
import io.tidemark.statemachine.auth.Permissions;
import io.tidemark.statemachine.lease.Lease;
import io.tidemark.statemachine.lease.LeaseReads;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * {@code etcdserverpb.Lease}. Any member serves all of it; what is left of a lease is told from the
 * clock that this member hears from the log.
 */
public final class LeaseService implements AutoCloseable {
  private static final long NO_LEASE = -1;

  private final Guard guard;
  private final LeaderLoss leaderLoss;
  private final Replica replica;
  private final Reads reads;
  private final Writes writes;
  private final ReadLanes lanes;
  private final Headers headers;
  private final Quota quota;
  private final LeaseGrants grants;
  private final Set<KeepAliveCall> open = ConcurrentHashMap.newKeySet();

  /** The parts of a member that every service uses, in one. */
  public record Access(
      Guard guard,
      LeaderLoss leaderLoss,
      Replica replica,
      Reads reads,
      Writes writes,
      ReadLanes lanes,
      Headers headers) {}

  public LeaseService(Access access, Quota quota, LeaseGrants grants) {
    this.quota = quota;
    this.guard = access.guard;
    this.leaderLoss = access.leaderLoss;
    this.replica = access.replica;
    this.reads = access.reads;
    this.writes = access.writes;
    this.lanes = access.lanes;
    this.headers = access.headers;
    this.grants = grants;
  }

  public void register(Methods methods) {
    methods
        .add(LeaseGrpc.getLeaseGrantMethod(), LeaseGrantRequest.parser(), this::grant)
        .add(LeaseGrpc.getLeaseRevokeMethod(), LeaseRevokeRequest.parser(), this::revoke)
        .add(LeaseGrpc.getLeaseTimeToLiveMethod(), LeaseTimeToLiveRequest.parser(), this::left)
        .add(LeaseGrpc.getLeaseLeasesMethod(), LeaseLeasesRequest.parser(), this::leases)
        .addStream(
            LeaseGrpc.getLeaseKeepAliveMethod(),
            (call, metadata) -> keepAlive(methods, call, metadata));
  }

  /** Sends the clients of open streams to another member. */
  @Override
  public void close() {
    Status stopped = RpcStatus.of(EtcdError.STOPPED);
    open.forEach(call -> call.terminate(stopped));
  }

  /** Its TTL is judged when it is applied, after the alarms, as etcd does. */
  private void grant(LeaseGrantRequest request, Reply reply) {
    if (!refused(reply) && quota.admits(Quota.LEASE_COST, reply)) {
      writes.propose(grants.command(request), reply);
    }
  }

  private void revoke(LeaseRevokeRequest request, Reply reply) {
    if (!refused(reply)) {
      writes.propose(new Command.LeaseRevoke(request), reply);
    }
  }

  private void left(LeaseTimeToLiveRequest request, Reply reply) {
    if (!refused(reply)) {
      reads.answer(
          true,
          request.getKeys() ? lanes.scans() : lanes.quick(),
          request.getKeys() ? permissions -> permissions.leaseKeys(request.getID()) : Right.KNOWN,
          reply,
          view -> left(view, request));
    }
  }

  private Spliced left(ReadView view, LeaseTimeToLiveRequest request) {
    LeaseTimeToLiveResponse.Builder response =
        LeaseTimeToLiveResponse.newBuilder()
            .setHeader(headers.message(view.revision()))
            .setID(request.getID());
    Lease lease = LeaseReads.find(view, request.getID());
    if (lease == null) {
      return bytes(response.setTTL(NO_LEASE).build());
    }
    response
        .setTTL(Math.max(0, lease.remainingMillis(replica.leaseClock()) / 1000))
        .setGrantedTTL(lease.ttlSeconds());
    if (request.getKeys()) {
      response.addAllKeys(LeaseReads.keys(view, request.getID()));
    }
    return bytes(response.build());
  }

  private void leases(LeaseLeasesRequest request, Reply reply) {
    if (!refused(reply)) {
      reads.answer(false, lanes.scans(), Permissions::allLeases, reply, this::leases);
    }
  }

  private Spliced leases(ReadView view) {
    long clock = replica.leaseClock();
    List<Waiting> waiting = new ArrayList<>();
    LeaseReads.forEach(
        view, (id, lease) -> waiting.add(new Waiting(id, lease.remainingMillis(clock))));
    waiting.sort(Comparator.comparingLong(Waiting::millis).thenComparingLong(Waiting::id));
    LeaseLeasesResponse.Builder response =
        LeaseLeasesResponse.newBuilder().setHeader(headers.message(view.revision()));
    for (Waiting lease : waiting) {
      response.addLeases(LeaseStatus.newBuilder().setID(lease.id));
    }
    return bytes(response.build());
  }

  private ServerCall.Listener<Request> keepAlive(
      Methods methods, ServerCall<Request, Spliced> call, Metadata metadata) {
    EtcdError refusal = guard.gate().refusal(metadata);
    if (refusal != null) {
      call.close(RpcStatus.of(refusal), new Metadata());
      return new ServerCall.Listener<>() {};
    }
    KeepAliveCall stream =
        new KeepAliveCall(
            call,
            methods,
            new Renewals(replica, guard, lanes, guard.credentials(metadata), call.getAttributes()),
            headers,
            CallLoop.of(call.getAttributes()),
            this::forget);
    open.add(stream);
    ArrivingBytes.whenTooMany(() -> stream.terminate(RpcStatus.of(EtcdError.TOO_MANY_REQUESTS)));
    leaderLoss.add(stream, metadata);
    stream.start();
    return stream;
  }

  private void forget(KeepAliveCall stream) {
    open.remove(stream);
    leaderLoss.remove(stream);
  }

  private boolean refused(Reply reply) {
    EtcdError gated = guard.gate().refusal(reply.headers());
    if (gated != null) {
      reply.fail(gated);
    }
    return gated != null;
  }

  private static Spliced bytes(MessageLite message) {
    return Spliced.of(message.toByteString());
  }

  private record Waiting(long id, long millis) {}
}
