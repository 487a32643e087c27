package io.tidemark.ctl;

import io.grpc.StatusRuntimeException;
import io.tidemark.api.etcdserverpb.DefragmentRequest;
import io.tidemark.api.etcdserverpb.MaintenanceGrpc;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code defrag}: waits on each endpoint until what compaction has left behind is gone. */
@Command(name = "defrag", description = "Wait until each endpoint has freed compacted space.")
final class DefragCommand implements Callable<Integer> {
  private final Session session;

  @Option(names = "--cluster", description = "All endpoints of the member list.")
  boolean cluster;

  DefragCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    int exitCode = 0;
    for (Endpoint endpoint : EndpointCommand.endpoints(session, cluster)) {
      try (Connection connection = session.connect(endpoint)) {
        var unused =
            connection
                .limited(MaintenanceGrpc.newBlockingStub(connection.channel()))
                .defragment(DefragmentRequest.getDefaultInstance());
        session.out().print("Finished defragmenting etcd member[" + endpoint.given() + "]\n");
      } catch (StatusRuntimeException e) {
        session
            .err()
            .println(
                "Failed to defragment etcd member["
                    + endpoint.given()
                    + "] ("
                    + Failures.message(e)
                    + ")");
        exitCode = CommandFailure.ERROR;
      }
    }
    return exitCode;
  }
}
