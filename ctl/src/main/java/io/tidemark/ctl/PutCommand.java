package io.tidemark.ctl;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.PutRequest;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code put KEY [VALUE]}; without a value it is read from standard input. */
@Command(name = "put", description = "Put a key; without VALUE, the value is standard input.")
final class PutCommand implements Callable<Integer> {
  private final Session session;

  @Parameters(arity = "0..*", paramLabel = "KEY [VALUE]")
  List<String> words = List.of();

  @Option(names = "--lease", defaultValue = "0", description = "Lease id in hex.")
  String lease = "0";

  @Option(names = "--prev-kv", description = "Print the pair before the put.")
  boolean prevKv;

  @Option(names = "--ignore-value", description = "Keep the value the key has.")
  boolean ignoreValue;

  @Option(names = "--ignore-lease", description = "Keep the lease the key has.")
  boolean ignoreLease;

  PutCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    PutRequest request = request(words.size() < 2 && !ignoreValue ? readAll() : ByteString.EMPTY);
    Printer printer = session.printer();
    try (Connection connection = session.connect()) {
      printer.put(connection.limited(KVGrpc.newBlockingStub(connection.channel())).put(request));
    }
    return 0;
  }

  private ByteString readAll() throws IOException {
    requireKey();
    return ByteString.readFrom(session.in());
  }

  private void requireKey() {
    if (words.isEmpty() || words.size() > 2) {
      throw CommandFailure.badArguments(
          "put command needs 1 argument and input from stdin or 2 arguments");
    }
  }

  /** The request; {@code input} is the value when none was given as an argument. */
  PutRequest request(ByteString input) {
    requireKey();
    if (ignoreValue && words.size() > 1) {
      throw CommandFailure.badArguments(
          "put command needs only 1 argument when 'ignore-value' is set");
    }
    PutRequest.Builder request =
        PutRequest.newBuilder()
            .setKey(ByteString.copyFromUtf8(words.get(0)))
            .setValue(words.size() > 1 ? ByteString.copyFromUtf8(words.get(1)) : input)
            .setPrevKv(prevKv)
            .setIgnoreValue(ignoreValue)
            .setIgnoreLease(ignoreLease);
    try {
      return request.setLease(Long.parseUnsignedLong(lease, 16)).build();
    } catch (NumberFormatException e) {
      throw CommandFailure.badArguments("bad lease ID (\"" + lease + "\"), expecting ID in Hex");
    }
  }
}
