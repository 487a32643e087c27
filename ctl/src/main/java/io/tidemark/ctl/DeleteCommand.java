package io.tidemark.ctl;

import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.KVGrpc;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code del KEY [RANGE_END]}. */
@Command(name = "del", description = "Delete a key or a range of keys.")
final class DeleteCommand implements Callable<Integer> {
  private final Session session;

  @Parameters(arity = "0..*", paramLabel = "KEY [RANGE_END]")
  List<String> words = List.of();

  @Option(names = "--prefix", description = "All keys with this prefix.")
  boolean prefix;

  @Option(names = "--from-key", description = "All keys from this one on.")
  boolean fromKey;

  @Option(names = "--range", description = "Accepted; RANGE_END makes it a range.")
  boolean range;

  @Option(names = "--prev-kv", description = "Print the pairs that were deleted.")
  boolean prevKv;

  DeleteCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    DeleteRangeRequest request = request();
    Printer printer = session.printer();
    try (Connection connection = session.connect()) {
      printer.delete(
          connection.limited(KVGrpc.newBlockingStub(connection.channel())).deleteRange(request));
    }
    return 0;
  }

  DeleteRangeRequest request() {
    if (words.isEmpty() || words.size() > 2) {
      throw CommandFailure.badArguments(
          "del command needs one argument as key and an optional argument as range_end");
    }
    String end = words.size() > 1 ? words.get(1) : "";
    KeySpan span = KeySpan.of(words.get(0), end, prefix, fromKey);
    return DeleteRangeRequest.newBuilder()
        .setKey(span.key())
        .setRangeEnd(span.end())
        .setPrevKv(prevKv)
        .build();
  }
}
