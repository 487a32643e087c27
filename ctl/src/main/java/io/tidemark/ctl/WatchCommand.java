package io.tidemark.ctl;

import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.BlockingClientCall;
import io.tidemark.api.etcdserverpb.WatchCreateRequest;
import io.tidemark.api.etcdserverpb.WatchGrpc;
import io.tidemark.api.etcdserverpb.WatchRequest;
import io.tidemark.api.etcdserverpb.WatchResponse;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code watch KEY [RANGE_END]}: prints events until interrupted. */
@Command(name = "watch", description = "Watch a key or a range of keys.")
final class WatchCommand implements Callable<Integer> {
  private static final long RETRY_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final Session session;

  @Parameters(arity = "0..*", paramLabel = "KEY [RANGE_END]")
  List<String> words = List.of();

  @Option(names = "--prefix", description = "All keys with this prefix.")
  boolean prefix;

  @Option(names = "--from-key", description = "All keys from this one on.")
  boolean fromKey;

  @Option(names = "--rev", defaultValue = "0", description = "From this revision on.")
  long revision;

  @Option(names = "--prev-kv", description = "Print the pair before each event.")
  boolean prevKv;

  @Option(names = "--progress-notify", description = "Ask for progress notices when idle.")
  boolean progressNotify;

  WatchCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws InterruptedException {
    WatchCreateRequest create = request();
    Printer printer = session.printer();
    if (printer instanceof TablePrinter) {
      throw new CommandFailure(CommandFailure.BAD_FEATURE, "table not supported as output format");
    }
    try (Connection connection = session.connect()) {
      long next = revision;
      while (true) {
        next = follow(connection, create.toBuilder().setStartRevision(next).build(), printer);
        // The member went away: go on with the next one, from where this one ended.
        LockSupport.parkNanos(RETRY_PAUSE_NANOS);
      }
    }
  }

  /** Prints until the connection breaks; the result is the revision to go on from. */
  private long follow(Connection connection, WatchCreateRequest create, Printer printer)
      throws InterruptedException {
    long next = create.getStartRevision();
    boolean created = false;
    BlockingClientCall<WatchRequest, WatchResponse> call =
        WatchGrpc.newBlockingV2Stub(connection.channel()).watch();
    try {
      call.write(WatchRequest.newBuilder().setCreateRequest(create).build());
      while (true) {
        WatchResponse response = call.read();
        if (response == null) {
          return next;
        }
        if (response.getCanceled()) {
          throw canceled(response);
        }
        if (response.getCreated()) {
          created = true;
          next = next > 0 ? next : response.getHeader().getRevision() + 1;
          continue;
        }
        printer.watch(response);
        next = Math.max(next, response.getHeader().getRevision() + 1);
      }
    } catch (StatusException e) {
      boolean lost = e.getStatus().getCode() == Status.Code.UNAVAILABLE;
      if (lost && (created || next > revision)) {
        return next;
      }
      throw e.getStatus().asRuntimeException();
    }
  }

  private CommandFailure canceled(WatchResponse response) {
    String reason = response.getCancelReason();
    if (response.getCompactRevision() != 0) {
      reason = "etcdserver: mvcc: required revision has been compacted";
    }
    session.out().flush();
    session.err().println("watch was canceled (" + reason + ")");
    return new CommandFailure(CommandFailure.INTERRUPTED, "watch is canceled by the server");
  }

  private WatchCreateRequest request() {
    if (words.isEmpty() || words.size() > 2) {
      throw CommandFailure.badArguments("bad number of arguments");
    }
    String end = words.size() > 1 ? words.get(1) : "";
    KeySpan span = KeySpan.of(words.get(0), end, prefix, fromKey);
    return WatchCreateRequest.newBuilder()
        .setKey(span.key())
        .setRangeEnd(span.end())
        .setPrevKv(prevKv)
        .setProgressNotify(progressNotify)
        .build();
  }
}
