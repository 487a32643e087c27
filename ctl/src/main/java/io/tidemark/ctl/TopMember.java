package io.tidemark.ctl;

import io.grpc.StatusRuntimeException;
import io.tidemark.api.etcdserverpb.MaintenanceGrpc;
import io.tidemark.api.etcdserverpb.StatusRequest;
import io.tidemark.api.etcdserverpb.StatusResponse;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One member as {@code top} looks at it again and again. Its connection is kept for as long as it
 * is good: after a failure, which a token that has ended is too, the next look opens another. Used
 * by one thread at a time.
 */
final class TopMember implements AutoCloseable {
  private final Session session;
  private final Endpoint endpoint;
  private final MemberPage pages;
  private @Nullable Connection connection;

  TopMember(Session session, Endpoint endpoint, MemberPage pages) {
    this.session = session;
    this.endpoint = endpoint;
    this.pages = pages;
  }

  /** A failure of the member is part of what was seen; one of the options is thrown. */
  TopSample look() {
    StatusResponse status;
    try {
      status = status();
    } catch (StatusRuntimeException e) {
      close();
      return new TopSample(
          endpoint.given(), null, Failures.message(e), Map.of(), System.nanoTime());
    }
    Duration limit = GoText.parseDuration("--command-timeout", session.options().commandTimeout);
    String page = pages.get(endpoint, "/metrics", limit);
    return new TopSample(
        endpoint.given(),
        status,
        "",
        page == null ? Map.of() : TopSample.samples(page),
        System.nanoTime());
  }

  private StatusResponse status() {
    Connection open = connection == null ? session.connect(endpoint) : connection;
    connection = open;
    return open.limited(MaintenanceGrpc.newBlockingStub(open.channel()))
        .status(StatusRequest.getDefaultInstance());
  }

  @Override
  public void close() {
    if (connection != null) {
      connection.close();
      connection = null;
    }
  }
}
