package io.tidemark.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.server.metrics.PrometheusText;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code docs/metrics.md} against the page of a real member. */
class MetricsTableTest {
  private static final Path TABLE = Path.of("..", "docs", "metrics.md");
  private static final Pattern ETCDS = Pattern.compile("(etcd|grpc|process|os)_.*");
  private static final Pattern OURS = Pattern.compile("(tidemark|jvm|ratis)_.*");

  private static LoneMember lone;

  @BeforeAll
  static void start(@TempDir Path data) throws Exception {
    lone = LoneMember.start(data);
  }

  @AfterAll
  static void stop() {
    lone.close();
  }

  /** A row without the back quotes. */
  private record Row(String name, String type, Set<String> labels, String here, String note) {
    static Row of(String line) {
      List<String> cells = Arrays.stream(line.split("\\|")).map(String::strip).toList();
      Set<String> labels =
          Arrays.stream(cells.get(3).split(", *"))
              .filter(label -> !label.isEmpty())
              .collect(Collectors.toCollection(TreeSet::new));
      String note = cells.size() > 5 ? cells.get(5) : "";
      return new Row(cells.get(1).replace("`", ""), cells.get(2), labels, cells.get(4), note);
    }
  }

  private static List<Row> rows() throws Exception {
    return Files.readAllLines(TABLE).stream()
        .filter(line -> line.startsWith("| `"))
        .map(Row::of)
        .toList();
  }

  private static String send(String path, String body) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + lone.member.clientPorts().get(0) + path));
    if (!body.isEmpty()) {
      request.POST(HttpRequest.BodyPublishers.ofString(body));
    }
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString()).body();
  }

  private static PrometheusText scrape() throws Exception {
    return PrometheusText.read(send("/metrics", ""));
  }

  /** A client may have its answer before its call has been counted. */
  private static PrometheusText scrapeWith(String sample, double value) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    PrometheusText page = scrape();
    while (page.value(sample) != value) {
      assertTrue(System.nanoTime() < end, sample + " stays " + page.value(sample));
      page = scrape();
    }
    return page;
  }

  @Test
  void tableAndPageSayTheSame() throws Exception {
    Map<String, String> expected = new TreeMap<>();
    for (Row row : rows()) {
      if (row.here.equals("yes")) {
        expected.put(row.name, row.type + " " + row.labels);
      }
    }
    Map<String, String> actual = new TreeMap<>();
    for (PrometheusText.Family family : scrape().families().values()) {
      if (ETCDS.matcher(family.name()).matches()) {
        actual.put(family.name(), family.type() + " " + family.labels());
      } else {
        assertTrue(OURS.matcher(family.name()).matches(), family.name());
      }
    }
    assertEquals(expected, actual);
  }

  @Test
  void whatIsAbsentHasItsReason() throws Exception {
    for (Row row : rows()) {
      assertTrue(Set.of("yes", "no", "extensive", "peers").contains(row.here), row.toString());
      assertTrue(row.here.equals("yes") || !row.note.isEmpty(), row.toString());
    }
  }

  /** Calls count the same, whichever way they come. */
  @Test
  void callsAreCounted() throws Exception {
    String put = "{grpc_type=\"unary\",grpc_service=\"etcdserverpb.KV\",grpc_method=\"Put\"}";
    String ok = put.replace("}", ",grpc_code=\"OK\"}");
    String bad = put.replace("}", ",grpc_code=\"InvalidArgument\"}");
    PrometheusText before = scrape();
    assertEquals(0, before.value("grpc_server_started_total" + put));
    KVGrpc.newBlockingStub(lone.channel)
        .put(PutRequest.newBuilder().setKey(ByteString.copyFromUtf8("a")).build());
    send("/v3/kv/put", "{\"key\":\"YQ==\"}");
    send("/v3/kv/put", "{}");
    send("/health", "");
    send("/livez", "");
    PrometheusText after = scrapeWith("grpc_server_handled_total" + ok, 2);
    assertEquals(3, after.value("grpc_server_started_total" + put));
    assertEquals(3, after.value("grpc_server_msg_received_total" + put));
    assertEquals(2, after.value("grpc_server_msg_sent_total" + put));
    assertEquals(2, after.value("grpc_server_handled_total" + ok));
    assertEquals(1, after.value("grpc_server_handled_total" + bad));
    assertEquals(1, after.value("etcd_server_health_success"));
    assertEquals(
        1, after.value("etcd_server_healthcheck{type=\"livez\",name=\"serializable_read\"}"));
    assertEquals(
        1,
        after.value(
            "etcd_server_healthchecks_total{type=\"livez\",name=\"serializable_read\","
                + "status=\"success\"}"));
    assertTrue(after.value("etcd_network_client_grpc_received_bytes_total") > 0);
    assertTrue(after.value("process_resident_memory_bytes") > 10_000_000);
  }
}
