package io.tidemark.ctl;

import io.tidemark.api.etcdserverpb.ClusterGrpc;
import io.tidemark.api.etcdserverpb.MemberListRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code member}, and its {@code list}; the changes are {@link MemberChangeCommands}. */
@Command(name = "member", description = "Membership.")
final class MemberCommand {
  private MemberCommand() {}

  /** Prints the members. */
  @Command(name = "list", description = "List the members.")
  static final class ListCommand implements Callable<Integer> {
    private final Session session;

    @Option(names = "--consistency", defaultValue = "l", description = "l or s.")
    String consistency = "l";

    ListCommand(Session session) {
      this.session = session;
    }

    @Override
    public Integer call() {
      Printer printer = session.printer();
      try (Connection connection = session.connect()) {
        printer.members(
            connection
                .limited(ClusterGrpc.newBlockingStub(connection.channel()))
                .memberList(
                    MemberListRequest.newBuilder()
                        .setLinearizable(!consistency.equals("s"))
                        .build()));
      }
      return 0;
    }
  }

  static MemberCommand group() {
    return new MemberCommand();
  }
}
