package io.tidemark.ctl;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RangeResponse;
import io.tidemark.api.v3lockpb.LockGrpc;
import io.tidemark.api.v3lockpb.LockRequest;
import io.tidemark.api.v3lockpb.LockResponse;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code lock NAME [COMMAND ARGUMENT...]}: holds the lock until interrupted, or while the command
 * runs. The lock hangs on a lease, so it is free again soon after this process has died.
 */
@Command(name = "lock", description = "Hold a lock, until interrupted or while a command runs.")
final class LockCommand implements Callable<Integer> {
  private final Session session;

  @Parameters(arity = "0..*", paramLabel = "NAME [COMMAND]")
  List<String> words = List.of();

  @Option(names = "--ttl", defaultValue = "10", description = "Seconds a dead holder keeps it.")
  long ttl = 10;

  LockCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (words.isEmpty()) {
      throw CommandFailure.badArguments(
          "lock takes one lock name argument and an optional command to execute");
    }
    Printer printer = session.printer();
    try (Connection connection = session.connect();
        OwnLease lease = OwnLease.grant(connection, ttl)) {
      LockResponse mine =
          LockGrpc.newBlockingStub(connection.channel())
              .lock(
                  LockRequest.newBuilder()
                      .setName(ByteString.copyFromUtf8(words.get(0)))
                      .setLease(lease.id())
                      .build());
      RangeResponse key =
          connection
              .limited(KVGrpc.newBlockingStub(connection.channel()))
              .range(RangeRequest.newBuilder().setKey(mine.getKey()).build());
      if (words.size() > 1) {
        return run(mine, key.getKvsCount() == 0 ? 0 : key.getKvs(0).getCreateRevision());
      }
      if (key.getKvsCount() == 0) {
        throw new CommandFailure(CommandFailure.ERROR, "lock lost on init");
      }
      printer.range(key);
      session.out().flush();
      lease.awaitLoss();
      throw new CommandFailure(CommandFailure.ERROR, "session expired");
    }
  }

  private int run(LockResponse mine, long revision) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(words.subList(1, words.size())).inheritIO();
    builder.environment().put("ETCD_LOCK_KEY", mine.getKey().toStringUtf8());
    builder.environment().put("ETCD_LOCK_REV", Long.toString(revision));
    return builder.start().waitFor();
  }
}
