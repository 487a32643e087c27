package io.tidemark.ctl;

import io.tidemark.api.etcdserverpb.HashKVRequest;
import io.tidemark.api.etcdserverpb.HashKVResponse;
import io.tidemark.api.etcdserverpb.MaintenanceGrpc;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code endpoint hashkv}. */
@Command(name = "hashkv", description = "Hash of the keys and their history on each endpoint.")
final class HashKvCommand implements Callable<Integer> {
  private final Session session;

  @Option(names = "--cluster", description = "All endpoints of the member list.")
  boolean cluster;

  @Option(names = "--rev", description = "Newest revision to hash; 0 = all (default: 0).")
  long revision;

  HashKvCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    for (Endpoint endpoint : EndpointCommand.endpoints(session, cluster)) {
      try (Connection connection = session.connect(endpoint)) {
        HashKVResponse response =
            connection
                .limited(MaintenanceGrpc.newBlockingStub(connection.channel()))
                .hashKV(HashKVRequest.newBuilder().setRevision(revision).build());
        session.printMessage(
            response,
            () ->
                session
                    .out()
                    .print(
                        endpoint.given()
                            + ", "
                            + Integer.toUnsignedString(response.getHash())
                            + "\n"));
      }
    }
    return 0;
  }
}
