package io.tidemark.ctl;

import io.tidemark.api.etcdserverpb.CompactionRequest;
import io.tidemark.api.etcdserverpb.CompactionResponse;
import io.tidemark.api.etcdserverpb.KVGrpc;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code compaction REVISION}. */
@Command(
    name = "compaction",
    aliases = "compact",
    description = "Drop the history before a revision.")
final class CompactionCommand implements Callable<Integer> {
  private final Session session;

  @Parameters(arity = "0..*", paramLabel = "REVISION")
  List<String> words = List.of();

  @Option(names = "--physical", description = "Wait until the space is free.")
  boolean physical;

  CompactionCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (words.size() != 1) {
      throw CommandFailure.badArguments("compaction command needs 1 argument");
    }
    long revision;
    try {
      revision = Long.parseLong(words.get(0));
    } catch (NumberFormatException e) {
      throw new CommandFailure(
          CommandFailure.ERROR,
          "strconv.ParseInt: parsing " + GoText.quote(words.get(0)) + ": invalid syntax");
    }
    Printer printer = session.printer();
    try (Connection connection = session.connect()) {
      CompactionResponse response =
          connection
              .limited(KVGrpc.newBlockingStub(connection.channel()))
              .compact(
                  CompactionRequest.newBuilder()
                      .setRevision(revision)
                      .setPhysical(physical)
                      .build());
      printer.compaction(response, revision);
    }
    return 0;
  }
}
