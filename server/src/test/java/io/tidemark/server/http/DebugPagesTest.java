package io.tidemark.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DebugPagesTest {
  private final DebugPages debugging = new DebugPages("m");
  private final Pages pages = new Pages();

  DebugPagesTest() {
    debugging.register(pages);
  }

  @AfterEach
  void close() {
    debugging.close();
  }

  private CompletableFuture<HttpAnswer> asking(
      String method, String path, Map<String, List<String>> query) {
    HttpQuestion question =
        new HttpQuestion(method, path, query, Map.of(), ByteString.EMPTY, HttpCaller.nobody());
    return pages.answer(question).toCompletableFuture();
  }

  private HttpAnswer ask(String path, Map<String, List<String>> query) throws Exception {
    return asking("GET", path, query).get(30, TimeUnit.SECONDS);
  }

  private static String told(HttpAnswer answer) {
    return answer.status() + " " + answer.body().toStringUtf8();
  }

  @Test
  void threadsAndWhatTheyDo() throws Exception {
    String text = told(ask("/debug/pprof/goroutine", Map.of()));
    String own = '"' + Thread.currentThread().getName() + '"';
    assertTrue(text.startsWith("200 ") && text.contains(own), text);
    assertTrue(text.contains("DebugPagesTest.threadsAndWhatTheyDo"), text);
  }

  @Test
  void objectsByClass() throws Exception {
    for (Map<String, List<String>> query :
        List.<Map<String, List<String>>>of(Map.of(), Map.of("gc", List.of("1")))) {
      String text = told(ask("/debug/pprof/heap", query));
      assertTrue(text.startsWith("200 ") && text.contains(" java.lang.String "), text);
    }
  }

  @Test
  void theIndexNamesThem() throws Exception {
    String text = told(ask("/debug/pprof/", Map.of()));
    assertEquals(text, told(ask("/debug/pprof", Map.of())));
    assertTrue(text.startsWith("200 goroutine "), text);
    assertEquals("404 404 page not found\n", told(ask("/debug/pprof/cmdline", Map.of())));
    assertEquals(
        405, asking("POST", "/debug/pprof/heap", Map.of()).get(30, TimeUnit.SECONDS).status());
  }

  /** One at a time; and what a recording could tell of the process's secrets isn't in it. */
  @Test
  void aProfileHoldsSamplesAlone(@TempDir Path directory) throws Exception {
    CompletableFuture<HttpAnswer> profile =
        asking("GET", "/debug/pprof/profile", Map.of("seconds", List.of("1")));
    assertEquals(
        "503 another profile is being made\n", told(ask("/debug/pprof/goroutine", Map.of())));
    HttpAnswer answer = profile.get(30, TimeUnit.SECONDS);
    assertEquals(200, answer.status());
    Path file = directory.resolve("profile.jfr");
    Files.write(file, answer.body().toByteArray());
    List<RecordedEvent> events = RecordingFile.readAllEvents(file);
    Set<String> types =
        events.stream().map(event -> event.getEventType().getName()).collect(Collectors.toSet());
    assertTrue(types.contains("jdk.CPULoad"), types::toString);
    types.removeAll(
        Set.of(
            "jdk.ExecutionSample",
            "jdk.NativeMethodSample",
            "jdk.ObjectAllocationSample",
            "jdk.JavaMonitorEnter",
            "jdk.ThreadPark",
            "jdk.FileForce",
            "jdk.GarbageCollection",
            "jdk.GCPhasePause",
            "jdk.CPULoad",
            "jdk.ThreadCPULoad"));
    assertEquals(Set.of(), types);
    assertEquals(200, ask("/debug/pprof/heap", Map.of()).status());
  }

  @Test
  void secondsWithinReason() throws Exception {
    for (String seconds : List.of("0", "301", "-1", "x")) {
      assertEquals(
          "400 seconds must be a number from 1 to 300\n",
          told(ask("/debug/pprof/profile", Map.of("seconds", List.of(seconds)))));
    }
  }
}
