package io.tidemark.raftcore.faultpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The protocol, request by request, and what points do. */
class FaultPointServerTest {
  private static final String NAME = "raftBeforeApplySnap";

  private final HttpClient http = HttpClient.newHttpClient();
  private FaultPointServer server = start();

  private static FaultPointServer start() {
    try {
      return FaultPointServer.listen("127.0.0.1:0");
    } catch (IOException taken) {
      throw new AssertionError(taken);
    }
  }

  @BeforeEach
  void nothingIsSet() {
    FaultPoint.BEFORE_APPLY_SNAPSHOT.clear();
  }

  @AfterEach
  void close() {
    FaultPoint.BEFORE_APPLY_SNAPSHOT.clear();
    server.close();
  }

  /** Status and body. */
  private String ask(String method, String path, String body) throws Exception {
    var answer =
        http.send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .method(method, BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
    return answer.statusCode() + " " + answer.body();
  }

  @Test
  void listsAllPoints() throws Exception {
    FaultPoint.BEFORE_APPLY_SNAPSHOT.set("sleep(5)");
    assertEquals(
        """
        200 afterApplyOneEntryNormal=
        applyBeforeOpenSnapshot=
        beforeApplyOneEntryNormal=
        checkpointBeforePublish=
        checkpointBeforePurge=
        compactAfterCommitScheduledCompact=
        raftAfterApplySnap=
        raftBeforeApplySnap=sleep(5)
        raftBeforeLeaderAppend=
        """,
        ask("GET", "/", ""));
  }

  @Test
  void setsShowsCountsAndClears() throws Exception {
    assertEquals(
        "404 failed to GET: failpoint: failpoint is disabled\n", ask("GET", "/" + NAME, ""));
    assertEquals("204 ", ask("PUT", "/" + NAME, "sleep(1)"));
    assertEquals("200 sleep(1)\n", ask("GET", "/" + NAME, ""));
    assertEquals("200 0", ask("GET", "/" + NAME + "/count", ""));
    FaultPoint.BEFORE_APPLY_SNAPSHOT.hit();
    assertEquals("200 1", ask("GET", "/" + NAME + "/count", ""));
    assertEquals("204 ", ask("DELETE", "/" + NAME, ""));
    assertEquals(
        "400 failed to delete failpoint failpoint: failpoint is disabled\n",
        ask("DELETE", "/" + NAME, ""));
  }

  @Test
  void setsSeveral() throws Exception {
    assertEquals("204 ", ask("PUT", "/failpoints", NAME + "=off;raftAfterApplySnap=off"));
    assertEquals("200 off\n", ask("GET", "/raftAfterApplySnap", ""));
    assertEquals("204 ", ask("DELETE", "/raftAfterApplySnap", ""));
  }

  @Test
  void refusesWhatItDoesNotKnow() throws Exception {
    String none = "failpoint: failpoint does not exist\n";
    assertEquals("404 failed to GET: " + none, ask("GET", "/nowhere", ""));
    assertEquals("404 failed to GET: " + none, ask("GET", "/nowhere/count", ""));
    assertEquals("400 fail to set failpoint: " + none, ask("PUT", "/nowhere", "off"));
    assertEquals("400 failed to delete failpoint " + none, ask("DELETE", "/nowhere", ""));
    assertEquals(
        "400 fail to set failpoint: failpoint: could not parse terms: explode\n",
        ask("PUT", "/" + NAME, "explode"));
    assertEquals("400 fail to parse failpoint: x\n", ask("PUT", "/failpoints", "x"));
    assertEquals("405 Method not allowed\n", ask("POST", "/" + NAME, "off"));
  }

  @Test
  void panicThrowsWhereNobodySaysHowToEnd() {
    FaultPoint.BEFORE_APPLY_SNAPSHOT.set("1*off->panic");
    FaultPoint.BEFORE_APPLY_SNAPSHOT.hit();
    IllegalStateException end =
        assertThrows(IllegalStateException.class, FaultPoint.BEFORE_APPLY_SNAPSHOT::hit);
    assertEquals("failpoint panic: " + NAME, end.getMessage());
  }

  @Test
  void termsFollowEachOther() {
    FaultTerms terms = FaultTerms.parse("1*print->2*sleep(\"1.5s\")->0%panic->off");
    assertEquals(new FaultTerms.Effect(FaultTerms.Kind.PRINT, Duration.ZERO), terms.next());
    FaultTerms.Effect sleep =
        new FaultTerms.Effect(FaultTerms.Kind.SLEEP, Duration.ofMillis(1_500));
    assertEquals(sleep, terms.next());
    assertEquals(sleep, terms.next());
    assertEquals(FaultTerms.Effect.NONE, terms.next());
  }
}
