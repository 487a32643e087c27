package io.tidemark.server.maintenance;

import com.google.protobuf.MessageLite;
import io.grpc.Status;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.AlarmMember;
import io.tidemark.api.etcdserverpb.AlarmRequest;
import io.tidemark.api.etcdserverpb.AlarmResponse;
import io.tidemark.api.etcdserverpb.AlarmType;
import io.tidemark.api.etcdserverpb.DefragmentRequest;
import io.tidemark.api.etcdserverpb.DefragmentResponse;
import io.tidemark.api.etcdserverpb.HashKVRequest;
import io.tidemark.api.etcdserverpb.HashKVResponse;
import io.tidemark.api.etcdserverpb.HashRequest;
import io.tidemark.api.etcdserverpb.HashResponse;
import io.tidemark.api.etcdserverpb.MaintenanceGrpc;
import io.tidemark.api.etcdserverpb.MoveLeaderRequest;
import io.tidemark.api.etcdserverpb.MoveLeaderResponse;
import io.tidemark.api.etcdserverpb.StatusRequest;
import io.tidemark.api.etcdserverpb.StatusResponse;
import io.tidemark.mvcc.ReadView;
import io.tidemark.mvcc.StoreDigest;
import io.tidemark.raftcore.RaftStatus;
import io.tidemark.raftcore.ratis.LeadershipMove;
import io.tidemark.server.access.Guard;
import io.tidemark.server.access.Headers;
import io.tidemark.server.access.ReadLanes;
import io.tidemark.server.access.Reads;
import io.tidemark.server.access.Replica;
import io.tidemark.server.access.Right;
import io.tidemark.server.access.Writes;
import io.tidemark.server.rpc.Methods;
import io.tidemark.server.rpc.Reply;
import io.tidemark.server.rpc.Spliced;
import io.tidemark.statemachine.Command;
import io.tidemark.statemachine.alarm.Alarms;
import java.util.function.Consumer;

/** {@code etcdserverpb.Maintenance}, but for backups and downgrades. */
public final class MaintenanceService {
  private static final String NO_LEADER = EtcdError.NO_LEADER.message();

  /** etcd gives this one no code. */
  private static final Status TRANSFER_TIMED_OUT =
      Status.UNKNOWN.withDescription(
          "etcdserver: request timed out, leader transfer took too long");

  private final Guard guard;
  private final Replica replica;
  private final Reads reads;
  private final Writes writes;
  private final ReadLanes lanes;
  private final Headers headers;
  private final About about;

  /**
   * What a member says about itself.
   *
   * @param version the server's version, {@code x.y.z}
   * @param storageVersion {@code x.y.0}
   * @param quotaBytes largest size of the data; never 0
   */
  public record About(String version, String storageVersion, long quotaBytes) {}

  public MaintenanceService(
      Guard guard,
      Replica replica,
      Reads reads,
      Writes writes,
      ReadLanes lanes,
      Headers headers,
      About about) {
    this.guard = guard;
    this.replica = replica;
    this.reads = reads;
    this.writes = writes;
    this.lanes = lanes;
    this.headers = headers;
    this.about = about;
  }

  public void register(Methods methods) {
    methods
        .add(
            MaintenanceGrpc.getStatusMethod(),
            StatusRequest.parser(),
            (request, reply) -> gated(reply, Right.KNOWN, this::status))
        .add(
            MaintenanceGrpc.getAlarmMethod(),
            AlarmRequest.parser(),
            (request, reply) ->
                gated(
                    reply,
                    request.getAction() == AlarmRequest.AlarmAction.GET ? Right.KNOWN : Right.ADMIN,
                    open -> alarm(request, open)))
        .add(
            MaintenanceGrpc.getHashMethod(),
            HashRequest.parser(),
            (request, reply) ->
                gated(
                    reply,
                    Right.ADMIN,
                    open -> reads.answer(false, lanes.scans(), Right.ADMIN, open, this::hash)))
        .add(
            MaintenanceGrpc.getHashKVMethod(),
            HashKVRequest.parser(),
            (request, reply) ->
                gated(
                    reply,
                    Right.ADMIN,
                    open ->
                        reads.answer(
                            false,
                            lanes.scans(),
                            Right.ADMIN,
                            open,
                            view -> hashKv(view, request))))
        .add(
            MaintenanceGrpc.getDefragmentMethod(),
            DefragmentRequest.parser(),
            (request, reply) -> gated(reply, Right.ADMIN, this::defragment))
        .add(
            MaintenanceGrpc.getMoveLeaderMethod(),
            MoveLeaderRequest.parser(),
            (request, reply) -> gated(reply, Right.ADMIN, open -> moveLeader(request, open)));
  }

  private void gated(Reply reply, Right right, Consumer<Reply> handler) {
    EtcdError refusal = guard.gate().refusal(reply.headers());
    if (refusal != null) {
      reply.fail(refusal);
    } else {
      guard.pass(reply, right, caller -> handler.accept(reply));
    }
  }

  private void status(Reply reply) {
    RaftStatus status = replica.status();
    StatusResponse.Builder response =
        StatusResponse.newBuilder()
            .setHeader(headers.message(status.appliedRevision()))
            .setVersion(about.version())
            .setStorageVersion(about.storageVersion())
            .setDbSize(Math.max(1, status.dbSize()))
            .setDbSizeInUse(status.dbSizeInUse())
            .setDbSizeQuota(about.quotaBytes())
            .setLeader(status.leaderId())
            .setRaftTerm(status.term())
            .setRaftIndex(status.commitIndex())
            .setRaftAppliedIndex(status.appliedIndex())
            .setIsLearner(status.isLearner())
            .setDowngradeInfo(replica.downgrade());
    if (status.leaderId() == 0) {
      response.addErrors(NO_LEADER);
    }
    replica.alarms().all().forEach(alarm -> response.addErrors(text(alarm)));
    send(reply, response.build());
  }

  private static String text(AlarmMember alarm) {
    return "memberID:"
        + Long.toUnsignedString(alarm.getMemberID())
        + " alarm:"
        + alarm.getAlarm().name();
  }

  private void alarm(AlarmRequest request, Reply reply) {
    if (request.getAction() != AlarmRequest.AlarmAction.GET) {
      writes.propose(new Command.Alarm(request), reply);
      return;
    }
    reads.answer(true, lanes.quick(), Right.KNOWN, reply, view -> alarms(view, request.getAlarm()));
  }

  private Spliced alarms(ReadView view, AlarmType type) {
    return Spliced.of(
        AlarmResponse.newBuilder()
            .setHeader(headers.message(view.revision()))
            .addAllAlarms(Alarms.in(view).of(type))
            .build()
            .toByteString());
  }

  private Spliced hash(ReadView view) {
    StoreDigest digest = view.digest(0);
    return Spliced.of(
        HashResponse.newBuilder()
            .setHeader(headers.message(view.revision()))
            .setHash(digest.hash())
            .build()
            .toByteString());
  }

  private Spliced hashKv(ReadView view, HashKVRequest request) {
    StoreDigest digest = view.digest(Math.max(0, request.getRevision()));
    return Spliced.of(
        HashKVResponse.newBuilder()
            .setHeader(headers.message(view.revision()))
            .setHash(digest.hash())
            .setCompactRevision(digest.compactRevision())
            .setHashRevision(digest.revision())
            .build()
            .toByteString());
  }

  /**
   * There is nothing to defragment. What compaction has left behind is waited for, so that the size
   * has fallen when this answers; reads and writes go on meanwhile.
   */
  private void defragment(Reply reply) {
    var unused =
        replica
            .physicalCompaction(replica.compactRevision())
            .whenComplete((done, closed) -> send(reply, DefragmentResponse.getDefaultInstance()));
  }

  private void moveLeader(MoveLeaderRequest request, Reply reply) {
    var unused =
        replica.moveLeadership(request.getTargetID()).thenAccept(move -> moved(move, reply));
  }

  private static void moved(LeadershipMove move, Reply reply) {
    switch (move) {
      case DONE -> send(reply, MoveLeaderResponse.getDefaultInstance());
      case NOT_LEADING -> reply.fail(EtcdError.NOT_LEADER);
      case NO_SUCH_VOTER -> reply.fail(EtcdError.BAD_LEADER_TRANSFEREE);
      case TIMED_OUT -> reply.fail(TRANSFER_TIMED_OUT);
    }
  }

  private static void send(Reply reply, MessageLite message) {
    reply.send(Spliced.of(message.toByteString()));
  }
}
