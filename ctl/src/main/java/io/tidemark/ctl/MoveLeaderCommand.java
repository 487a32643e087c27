package io.tidemark.ctl;

import io.tidemark.api.etcdserverpb.MaintenanceGrpc;
import io.tidemark.api.etcdserverpb.MoveLeaderRequest;
import io.tidemark.api.etcdserverpb.StatusRequest;
import io.tidemark.api.etcdserverpb.StatusResponse;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code move-leader MEMBER}: asks the leader, who must be among the endpoints. */
@Command(name = "move-leader", description = "Make another member lead.")
final class MoveLeaderCommand implements Callable<Integer> {
  private final Session session;

  @Parameters(arity = "0..*", paramLabel = "MEMBER")
  List<String> words = List.of();

  MoveLeaderCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (words.size() != 1) {
      throw CommandFailure.badArguments("move-leader command needs 1 argument");
    }
    long target;
    try {
      target = Long.parseUnsignedLong(words.get(0), 16);
    } catch (NumberFormatException e) {
      throw CommandFailure.badArguments(
          "strconv.ParseUint: parsing " + GoText.quote(words.get(0)) + ": invalid syntax");
    }
    for (Endpoint endpoint : session.endpoints()) {
      try (Connection connection = session.connect(endpoint)) {
        var stub = connection.limited(MaintenanceGrpc.newBlockingStub(connection.channel()));
        StatusResponse status = stub.status(StatusRequest.getDefaultInstance());
        long leader = status.getHeader().getMemberId();
        if (status.getLeader() == leader) {
          var unused = stub.moveLeader(MoveLeaderRequest.newBuilder().setTargetID(target).build());
          session
              .out()
              .print(
                  "Leadership transferred from "
                      + Long.toHexString(leader)
                      + " to "
                      + Long.toHexString(target)
                      + "\n");
          return 0;
        }
      }
    }
    throw CommandFailure.badArguments(
        "no leader endpoint given at "
            + session.endpoints().stream()
                .map(Endpoint::given)
                .collect(Collectors.joining(" ", "[", "]")));
  }
}
