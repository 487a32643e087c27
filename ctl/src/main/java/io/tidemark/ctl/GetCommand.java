package io.tidemark.ctl;

import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RangeRequest.SortOrder;
import io.tidemark.api.etcdserverpb.RangeRequest.SortTarget;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code get KEY [RANGE_END]}. */
@Command(name = "get", description = "Get a key or a range of keys.")
final class GetCommand implements Callable<Integer> {
  private final Session session;

  @Parameters(arity = "0..*", paramLabel = "KEY [RANGE_END]")
  List<String> words = List.of();

  @Option(names = "--prefix", description = "All keys with this prefix.")
  boolean prefix;

  @Option(names = "--from-key", description = "All keys from this one on.")
  boolean fromKey;

  @Option(names = "--limit", defaultValue = "0", description = "At most so many results.")
  long limit;

  @Option(names = "--rev", defaultValue = "0", description = "As of this revision.")
  long revision;

  @Option(names = "--order", defaultValue = "", description = "ASCEND or DESCEND.")
  String order = "";

  @Option(
      names = "--sort-by",
      defaultValue = "",
      description = "CREATE, KEY, MODIFY, VALUE or VERSION.")
  String sortBy = "";

  @Option(names = "--keys-only", description = "Keys without values.")
  boolean keysOnly;

  @Option(names = "--count-only", description = "Only how many there are.")
  boolean countOnly;

  @Option(names = "--print-value-only", description = "Values without keys.")
  boolean valuesOnly;

  @Option(
      names = "--consistency",
      defaultValue = "l",
      description = "l (linearizable) or s (serializable).")
  String consistency = "l";

  @Option(names = "--min-mod-rev", defaultValue = "0", description = "Changed at or after.")
  long minModRevision;

  @Option(names = "--max-mod-rev", defaultValue = "0", description = "Changed at or before.")
  long maxModRevision;

  @Option(names = "--min-create-rev", defaultValue = "0", description = "Created at or after.")
  long minCreateRevision;

  @Option(names = "--max-create-rev", defaultValue = "0", description = "Created at or before.")
  long maxCreateRevision;

  GetCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    RangeRequest request = request();
    if (valuesOnly && !session.isSimple()) {
      throw CommandFailure.badArguments(
          "print-value-only is only for `--write-out=simple`, not `--write-out="
              + session.options().writeOut
              + "`");
    }
    Printer printer = session.printer(content());
    try (Connection connection = session.connect()) {
      printer.range(
          connection.limited(KVGrpc.newBlockingStub(connection.channel())).range(request));
    }
    return 0;
  }

  private SimplePrinter.Content content() {
    if (countOnly) {
      return SimplePrinter.Content.COUNT;
    }
    if (keysOnly) {
      return SimplePrinter.Content.KEYS;
    }
    return valuesOnly ? SimplePrinter.Content.VALUES : SimplePrinter.Content.ALL;
  }

  RangeRequest request() {
    if (words.isEmpty() || words.size() > 2) {
      throw CommandFailure.badArguments(
          "get command needs one argument as key and an optional argument as range_end");
    }
    if (keysOnly && countOnly) {
      throw CommandFailure.badArguments(
          "`--keys-only` and `--count-only` cannot be set at the same time, choose one");
    }
    String end = words.size() > 1 ? words.get(1) : "";
    KeySpan span = KeySpan.of(words.get(0), end, prefix, fromKey);
    return RangeRequest.newBuilder()
        .setKey(span.key())
        .setRangeEnd(span.end())
        .setLimit(limit)
        .setRevision(revision)
        .setSortOrder(sortOrder())
        .setSortTarget(sortTarget())
        .setSerializable(serializable())
        .setKeysOnly(keysOnly)
        .setCountOnly(countOnly)
        .setMinModRevision(minModRevision)
        .setMaxModRevision(maxModRevision)
        .setMinCreateRevision(minCreateRevision)
        .setMaxCreateRevision(maxCreateRevision)
        .build();
  }

  private boolean serializable() {
    return switch (consistency) {
      case "s" -> true;
      case "l" -> false;
      default ->
          throw new CommandFailure(
              CommandFailure.BAD_FEATURE, "unknown consistency flag \"" + consistency + "\"");
    };
  }

  private SortOrder sortOrder() {
    return switch (order.toUpperCase(Locale.ROOT)) {
      case "" -> SortOrder.NONE;
      case "ASCEND" -> SortOrder.ASCEND;
      case "DESCEND" -> SortOrder.DESCEND;
      default -> throw new CommandFailure(CommandFailure.BAD_FEATURE, "bad sort order " + order);
    };
  }

  private SortTarget sortTarget() {
    return switch (sortBy.toUpperCase(Locale.ROOT)) {
      case "", "KEY" -> SortTarget.KEY;
      case "CREATE" -> SortTarget.CREATE;
      case "MODIFY" -> SortTarget.MOD;
      case "VALUE" -> SortTarget.VALUE;
      case "VERSION" -> SortTarget.VERSION;
      default -> throw new CommandFailure(CommandFailure.BAD_FEATURE, "bad sort target " + sortBy);
    };
  }
}
