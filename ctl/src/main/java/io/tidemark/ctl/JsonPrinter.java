package io.tidemark.ctl;

import com.google.protobuf.Message;
import io.tidemark.api.etcdserverpb.AuthRoleGetResponse;
import io.tidemark.api.etcdserverpb.AuthStatusResponse;
import io.tidemark.api.etcdserverpb.AuthUserGetResponse;
import io.tidemark.api.etcdserverpb.CompactionResponse;
import io.tidemark.api.etcdserverpb.DeleteRangeResponse;
import io.tidemark.api.etcdserverpb.MemberListResponse;
import io.tidemark.api.etcdserverpb.PutResponse;
import io.tidemark.api.etcdserverpb.RangeResponse;
import io.tidemark.api.etcdserverpb.ResponseHeader;
import io.tidemark.api.etcdserverpb.TxnResponse;
import io.tidemark.api.etcdserverpb.WatchResponse;
import io.tidemark.api.mvccpb.Event;
import io.tidemark.server.SnapshotRestore.FileStatus;
import java.io.PrintStream;
import java.util.List;
import java.util.stream.Collectors;

/** One line of JSON per answer, in the shape that etcdctl's users parse. */
final class JsonPrinter implements Printer {
  private final PrintStream out;

  JsonPrinter(PrintStream out) {
    this.out = out;
  }

  @Override
  public void put(PutResponse response) {
    line(response);
  }

  @Override
  public void range(RangeResponse response) {
    line(response);
  }

  @Override
  public void delete(DeleteRangeResponse response) {
    line(response);
  }

  @Override
  public void txn(TxnResponse response) {
    line(response);
  }

  @Override
  public void compaction(CompactionResponse response, long revision) {
    line(response);
  }

  @Override
  public void watch(WatchResponse response) {
    String events =
        response.getEventsCount() == 0
            ? "null"
            : response.getEventsList().stream()
                .map(JsonPrinter::event)
                .collect(Collectors.joining(",", "[", "]"));
    line(
        "{\"Header\":"
            + GoJson.message(response.getHeader())
            + ",\"Events\":"
            + events
            + ",\"CompactRevision\":"
            + response.getCompactRevision()
            + ",\"Canceled\":"
            + response.getCanceled()
            + ",\"Created\":"
            + response.getCreated()
            + "}");
    out.flush();
  }

  private static String event(Event event) {
    return GoJson.message(event);
  }

  @Override
  public void members(MemberListResponse response) {
    line(response);
  }

  @Override
  public void membersChanged(Message response, String words) {
    line(response);
  }

  @Override
  public void status(List<EndpointStatus> endpoints) {
    line(endpoints.stream().map(JsonPrinter::status).collect(Collectors.joining(",", "[", "]")));
  }

  private static String status(EndpointStatus endpoint) {
    EndpointStatus.Lag lag = endpoint.lag();
    return "{\"Endpoint\":"
        + GoJson.string(endpoint.endpoint())
        + ",\"Status\":"
        + GoJson.message(endpoint.status())
        + (lag == null
            ? ""
            : ",\"Lag\":{\"appliedRevision\":"
                + lag.appliedRevision()
                + ",\"dispatchedRevision\":"
                + lag.dispatchedRevision()
                + ",\"leaderCommit\":"
                + lag.leaderCommit()
                + ",\"entries\":"
                + lag.entries()
                + ",\"ageMillis\":"
                + lag.ageMillis()
                + "}")
        + "}";
  }

  @Override
  public void health(List<EndpointHealth> endpoints) {
    line(endpoints.stream().map(JsonPrinter::health).collect(Collectors.joining(",", "[", "]")));
  }

  private static String health(EndpointHealth health) {
    return "{\"endpoint\":"
        + GoJson.string(health.endpoint())
        + ",\"health\":"
        + health.healthy()
        + ",\"took\":"
        + GoJson.string(GoText.duration(health.took()))
        + (health.healthy() ? "" : ",\"error\":" + GoJson.string(health.error()))
        + "}";
  }

  @Override
  public void changed(Message response, ResponseHeader header, String words) {
    line(response);
  }

  @Override
  public void role(AuthRoleGetResponse response, String name) {
    line(response);
  }

  @Override
  public void user(AuthUserGetResponse response, String name) {
    line(response);
  }

  @Override
  public void names(Message response, ResponseHeader header, String field, List<String> names) {
    line(response);
  }

  @Override
  public void authStatus(AuthStatusResponse response) {
    line(response);
  }

  @Override
  public void snapshot(FileStatus status) {
    line(
        "{\"hash\":%d,\"revision\":%d,\"totalKey\":%d,\"totalSize\":%d}"
            .formatted(status.hash(), status.revision(), status.totalKeys(), status.totalSize()));
  }

  private void line(Message message) {
    line(GoJson.message(message));
  }

  private void line(String text) {
    out.print(text);
    out.print('\n');
  }
}
