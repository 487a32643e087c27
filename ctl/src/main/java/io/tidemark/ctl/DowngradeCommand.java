package io.tidemark.ctl;

import io.tidemark.api.etcdserverpb.DowngradeRequest;
import io.tidemark.api.etcdserverpb.DowngradeRequest.DowngradeAction;
import io.tidemark.api.etcdserverpb.DowngradeResponse;
import io.tidemark.api.etcdserverpb.MaintenanceGrpc;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code downgrade validate|enable VERSION} and {@code downgrade cancel}. */
@Command(name = "downgrade", description = "Going back to an older version.")
final class DowngradeCommand implements Callable<Integer> {
  private final Session session;

  @Parameters(arity = "0..*", paramLabel = "validate|enable|cancel [VERSION]")
  List<String> words = List.of();

  DowngradeCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    String verb = words.isEmpty() ? "" : words.get(0);
    DowngradeAction action =
        switch (verb) {
          case "validate" -> DowngradeAction.VALIDATE;
          case "enable" -> DowngradeAction.ENABLE;
          case "cancel" -> DowngradeAction.CANCEL;
          default -> throw CommandFailure.badArguments("downgrade validate, enable or cancel?");
        };
    String version = words.size() > 1 ? words.get(1) : "";
    if (action != DowngradeAction.CANCEL && version.isEmpty()) {
      throw CommandFailure.badArguments("TARGET_VERSION not provided");
    }
    try (Connection connection = session.connect()) {
      DowngradeResponse response =
          connection
              .limited(MaintenanceGrpc.newBlockingStub(connection.channel()))
              .downgrade(
                  DowngradeRequest.newBuilder().setAction(action).setVersion(version).build());
      session.printMessage(
          response,
          () ->
              session
                  .out()
                  .print(
                      "Downgrade "
                          + verb.toLowerCase(Locale.ROOT)
                          + " success, cluster version "
                          + response.getVersion()
                          + "\n"));
    }
    return 0;
  }
}
