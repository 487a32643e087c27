package io.tidemark.ctl;

import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.BlockingClientCall;
import io.tidemark.api.etcdserverpb.LeaseGrpc;
import io.tidemark.api.etcdserverpb.LeaseKeepAliveRequest;
import io.tidemark.api.etcdserverpb.LeaseKeepAliveResponse;

/** One renewal of a lease. */
final class Renewal {
  private Renewal() {}

  /** The answer; blocks for the command's time-out at most. */
  static LeaseKeepAliveResponse once(Connection connection, long id) {
    BlockingClientCall<LeaseKeepAliveRequest, LeaseKeepAliveResponse> call =
        connection.limited(LeaseGrpc.newBlockingV2Stub(connection.channel())).leaseKeepAlive();
    try {
      call.write(LeaseKeepAliveRequest.newBuilder().setID(id).build());
      LeaseKeepAliveResponse answer = call.read();
      if (answer == null) {
        throw Status.UNAVAILABLE.withDescription("no answer").asRuntimeException();
      }
      return answer;
    } catch (StatusException e) {
      throw e.getStatus().asRuntimeException();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Status.CANCELLED.withDescription("interrupted").asRuntimeException();
    } finally {
      call.cancel("done", null);
    }
  }
}
