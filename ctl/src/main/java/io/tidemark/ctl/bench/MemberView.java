package io.tidemark.ctl.bench;

import io.grpc.StatusRuntimeException;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.MaintenanceGrpc;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.StatusRequest;
import io.tidemark.api.etcdserverpb.StatusResponse;
import java.time.Duration;
import java.util.List;

/**
 * What one member says about itself and its cluster.
 *
 * @param leaderId 0 when it knows no leader
 * @param sizeBytes of its database
 */
public record MemberView(long memberId, long leaderId, long term, String version, long sizeBytes) {

  /** Asks a member; blocks up to {@code deadline}. Failure: {@link LoadFailure}. */
  public static MemberView of(Endpoint endpoint, Duration deadline) {
    try (Connections connections = new Connections(new Target(List.of(endpoint), 1, 1))) {
      StatusResponse status =
          MaintenanceGrpc.newBlockingStub(connections.channel(0, 0))
              .withDeadlineAfter(deadline)
              .status(StatusRequest.getDefaultInstance());
      return new MemberView(
          status.getHeader().getMemberId(),
          status.getLeader(),
          status.getRaftTerm(),
          status.getVersion(),
          status.getDbSize());
    } catch (StatusRuntimeException e) {
      throw new LoadFailure(endpoint + ": " + ClosedLoop.textOf(e.getStatus()), e);
    }
  }

  /** One linearizable read through a member. Failure: {@link LoadFailure}. */
  public static void read(Endpoint endpoint, KeySpace keys, Duration deadline) {
    try (Connections connections = new Connections(new Target(List.of(endpoint), 1, 1))) {
      KVGrpc.newBlockingStub(connections.channel(0, 0))
          .withDeadlineAfter(deadline)
          .range(RangeRequest.newBuilder().setKey(keys.key(0)).build());
    } catch (StatusRuntimeException e) {
      throw new LoadFailure(endpoint + ": " + ClosedLoop.textOf(e.getStatus()), e);
    }
  }

  public boolean isLeader() {
    return leaderId != 0 && leaderId == memberId;
  }
}
