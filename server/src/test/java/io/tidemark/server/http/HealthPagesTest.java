package io.tidemark.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.codahale.metrics.MetricRegistry;
import com.google.protobuf.ByteString;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

final class HealthPagesTest {
  private boolean leader = true;
  private String local = "";
  private String majority = "";
  private boolean voter = true;
  private List<String> alarms = List.of();

  private final Pages pages = new Pages();

  HealthPagesTest() {
    new HealthPages(
            new HealthProbes() {
              @Override
              public boolean hasLeader() {
                return leader;
              }

              @Override
              public List<String> alarms() {
                return alarms;
              }

              @Override
              public boolean isVoter() {
                return voter;
              }

              @Override
              public CompletionStage<String> serializableRead() {
                return CompletableFuture.completedFuture(local);
              }

              @Override
              public CompletionStage<String> linearizableRead() {
                return CompletableFuture.completedFuture(majority);
              }
            },
            new MetricRegistry())
        .register(pages);
  }

  private String get(String path, Map<String, List<String>> query) {
    HttpAnswer answer =
        pages
            .answer(
                new HttpQuestion(
                    "GET", path, query, Map.of(), ByteString.EMPTY, HttpCaller.nobody()))
            .toCompletableFuture()
            .join();
    return answer.status() + " " + answer.body().toStringUtf8();
  }

  private String get(String path) {
    return get(path, Map.of());
  }

  @Test
  void allIsWell() {
    assertEquals("200 {\"health\":\"true\",\"reason\":\"\"}", get("/health"));
    assertEquals("200 ok\n", get("/livez"));
    assertEquals("200 ok\n", get("/readyz"));
    assertEquals(
        "200 [+]data_corruption ok\n[+]serializable_read ok\n[+]linearizable_read ok\n"
            + "[+]non_learner ok\nok\n",
        get("/readyz", Map.of("verbose", List.of(""))));
    assertEquals("200 ok\n", get("/readyz/linearizable_read"));
  }

  @Test
  void withoutLeaderOnlyLocalChecksPass() {
    leader = false;
    majority = "etcdserver: request timed out";
    assertEquals("503 {\"health\":\"false\",\"reason\":\"RAFT NO LEADER\"}", get("/health"));
    assertEquals(
        "200 {\"health\":\"true\",\"reason\":\"\"}",
        get("/health", Map.of("serializable", List.of("true"))));
    assertEquals("200 ok\n", get("/livez"));
    assertEquals(
        "503 [+]data_corruption ok\n[+]serializable_read ok\n"
            + "[-]linearizable_read failed: etcdserver: request timed out\n[+]non_learner ok\n",
        get("/readyz"));
    assertEquals(
        "200 ok\n", get("/readyz", Map.of("exclude", List.of("linearizable_read", "unknown"))));
  }

  @Test
  void failedReadIsTheReason() {
    majority = "etcdserver: request timed out";
    assertEquals(
        "503 {\"health\":\"false\",\"reason\":\"RANGE ERROR:etcdserver: request timed out\"}",
        get("/health"));
  }

  @Test
  void alarmsComeBeforeAllElse() {
    alarms = List.of("NOSPACE", "CORRUPT");
    leader = false;
    assertEquals("503 {\"health\":\"false\",\"reason\":\"ALARM NOSPACE\"}", get("/health"));
    assertEquals(
        "503 {\"health\":\"false\",\"reason\":\"ALARM CORRUPT\"}",
        get("/health", Map.of("exclude", List.of("NOSPACE"))));
    assertEquals(
        "503 {\"health\":\"false\",\"reason\":\"RAFT NO LEADER\"}",
        get("/health", Map.of("exclude", List.of("NOSPACE", "CORRUPT"))));
    assertEquals(
        "503 [-]data_corruption failed: alarm activated: CORRUPT\n",
        get("/readyz/data_corruption"));
    alarms = List.of("NOSPACE");
    leader = true;
    assertEquals("200 ok\n", get("/readyz"));
  }

  @Test
  void learnerIsNotReady() {
    voter = false;
    assertEquals(
        "503 [-]non_learner failed: local node is a learner\n", get("/readyz/non_learner"));
  }

  @Test
  void unknownCheckAndOtherMethods() {
    assertEquals("404 404 page not found\n", get("/livez/linearizable_read"));
    HttpAnswer answer =
        pages
            .answer(
                new HttpQuestion(
                    "POST", "/health", Map.of(), Map.of(), ByteString.EMPTY, HttpCaller.nobody()))
            .toCompletableFuture()
            .join();
    assertEquals(405, answer.status());
    assertEquals("GET", answer.headers().get("allow"));
  }
}
