package io.tidemark.ctl;

import com.google.protobuf.Message;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** What commands share: options, streams, and the way to the cluster. Main thread only. */
record Session(GlobalOptions options, InputStream in, PrintStream out, PrintStream err) {

  List<Endpoint> endpoints() {
    return Endpoint.parseAll(options.endpoints);
  }

  Connection connect() {
    return Connection.open(options, endpoints());
  }

  Connection connect(Endpoint endpoint) {
    return Connection.open(options, List.of(endpoint));
  }

  Printer printer() {
    return printer(SimplePrinter.Content.ALL);
  }

  Printer printer(SimplePrinter.Content content) {
    return switch (options.writeOut.toLowerCase(Locale.ROOT)) {
      case "simple" -> new SimplePrinter(out, content, options.hex);
      case "json" -> new JsonPrinter(out);
      case "fields" -> new FieldsPrinter(out);
      case "table" -> new TablePrinter(out);
      default -> throw new CommandFailure(CommandFailure.BAD_FEATURE, "unsupported output format");
    };
  }

  LeasePrinter leasePrinter() {
    return switch (options.writeOut.toLowerCase(Locale.ROOT)) {
      case "simple" -> new LeasePrinter.Simple(out);
      case "json" -> new LeasePrinter.Json(out);
      case "fields" -> new LeasePrinter.Fields(out);
      case "table" ->
          throw new CommandFailure(
              CommandFailure.BAD_FEATURE, "table not supported as output format");
      default -> throw new CommandFailure(CommandFailure.BAD_FEATURE, "unsupported output format");
    };
  }

  /**
   * Prints an answer in the formats that need no layout of its own: as JSON, or by {@code simple}.
   */
  void printMessage(Message message, Runnable simple) {
    switch (options.writeOut.toLowerCase(Locale.ROOT)) {
      case "simple" -> simple.run();
      case "json" -> out.print(GoJson.message(message) + "\n");
      default ->
          throw new CommandFailure(
              CommandFailure.BAD_FEATURE, options.writeOut + " not supported as output format");
    }
  }

  boolean isSimple() {
    return options.writeOut.equalsIgnoreCase("simple");
  }
}
