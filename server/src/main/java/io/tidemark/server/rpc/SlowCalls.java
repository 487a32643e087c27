package io.tidemark.server.rpc;

import com.google.protobuf.MessageLite;
import io.grpc.Grpc;
import io.grpc.Status;
import io.tidemark.clusterconfig.GoDuration;
import io.tidemark.raftcore.metrics.LinePace;
import io.tidemark.statemachine.request.RequestSummary;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Logs calls and reads that took longer than is wanted, in etcd's words, with the stage that took
 * longest and without anybody's data. When everything is slow, some of it is logged and the rest
 * counted: a log of the overload mustn't add to it. Thread-safe.
 */
public final class SlowCalls {
  /** Nobody is told of anything. */
  public static final SlowCalls UNNOTICED =
      new SlowCalls(Duration.ofNanos(Long.MAX_VALUE), Duration.ofNanos(Long.MAX_VALUE));

  private static final Logger LOG = LoggerFactory.getLogger(SlowCalls.class);

  /** These wait for other clients, for as long as it takes. */
  private static final Set<String> WAITING =
      Set.of("v3lockpb.Lock/Lock", "v3electionpb.Election/Campaign");

  private final long callNanos;
  private final long readNanos;
  private final LongAdder slowReads = new LongAdder();
  private final LinePace pace = new LinePace(System.nanoTime());

  /**
   * @param call unary calls that take longer are logged
   * @param read reading for longer is logged, whatever else a call waits for
   */
  public SlowCalls(Duration call, Duration read) {
    this.callNanos = call.toNanos();
    this.readNanos = read.toNanos();
  }

  /** Whether calls of this method are looked at. */
  static boolean watches(String method) {
    return !WAITING.contains(method);
  }

  /** Reads that took longer than is wanted, since the start. */
  public long slowReads() {
    return slowReads.sum();
  }

  /** A call is over. */
  void ended(
      Reply reply, String method, @Nullable Object request, Status status, long responseBytes) {
    long now = System.nanoTime();
    long took = reply.sinceBeginNanos(now);
    if (took <= callNanos || !pace.admits(now)) {
      return;
    }
    line(request)
        .addKeyValue("time spent", GoDuration.millis(took))
        .addKeyValue("expected-duration", GoDuration.millis(callNanos))
        .addKeyValue("longest stage", reply.longest(now))
        .addKeyValue("time of that stage", GoDuration.millis(reply.longestNanos(now)))
        .addKeyValue("remote", reply.attributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR))
        .addKeyValue("response type", "/" + method)
        .addKeyValue("response size", responseBytes)
        .addKeyValue("status", status.getCode())
        .log("request stats");
  }

  /** The store was read for a call. */
  void read(long nanos, @Nullable Object request, long responseBytes) {
    if (nanos <= readNanos) {
      return;
    }
    slowReads.increment();
    if (pace.admits(System.nanoTime())) {
      line(request)
          .addKeyValue("took", GoDuration.millis(nanos))
          .addKeyValue("expected-duration", GoDuration.millis(readNanos))
          .addKeyValue("prefix", "read-only range ")
          .addKeyValue("response", "size:" + responseBytes)
          .log("apply request took too long");
    }
  }

  private LoggingEventBuilder line(@Nullable Object request) {
    LoggingEventBuilder line = pace.withOmitted(LOG.atWarn());
    String summary =
        request instanceof MessageLite message
            ? RequestSummary.of(message)
            : request == null ? "" : request.toString();
    return summary.isEmpty() ? line : line.addKeyValue("request", summary);
  }
}
