package io.tidemark.ctl;

import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.TxnRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code txn}, read from standard input. */
@Command(
    name = "txn",
    description =
        "Run a transaction from standard input: comparisons, requests on success, requests on"
            + " failure; a blank line ends each group.")
final class TxnCommand implements Callable<Integer> {
  private final Session session;

  TxnCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    TxnRequest request;
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(session.in(), StandardCharsets.UTF_8))) {
      request = new TxnScript(session).parse(reader.lines().toList());
    }
    Printer printer = session.printer();
    try (Connection connection = session.connect()) {
      printer.txn(connection.limited(KVGrpc.newBlockingStub(connection.channel())).txn(request));
    }
    return 0;
  }
}
