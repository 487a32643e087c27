package io.tidemark.server.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.google.protobuf.ByteString;
import io.tidemark.server.http.HttpAnswer;
import io.tidemark.server.http.HttpCaller;
import io.tidemark.server.http.HttpQuestion;
import io.tidemark.server.http.Pages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ConsolePagesTest {
  private static final Path SOURCES = Path.of("src/main/resources/console");

  private final Pages pages = new Pages();

  ConsolePagesTest() {
    new ConsolePages().register(pages);
  }

  private HttpAnswer ask(String method, String path, Map<String, String> headers) {
    return pages
        .answer(
            new HttpQuestion(
                method, path, Map.of(), headers, ByteString.EMPTY, HttpCaller.nobody()))
        .toCompletableFuture()
        .join();
  }

  private HttpAnswer get(String path) {
    return ask("GET", path, Map.of());
  }

  @Test
  void everyFileIsServedAndNothingElse() throws IOException {
    try (var files = Files.list(SOURCES)) {
      assertEquals(
          files.map(file -> file.getFileName().toString()).collect(Collectors.toSet()),
          Set.copyOf(ConsolePages.FILES));
    }
    for (String name : ConsolePages.FILES) {
      HttpAnswer answer = get("/console/" + name);
      assertEquals(200, answer.status(), name);
      assertEquals(
          ByteString.copyFrom(Files.readAllBytes(SOURCES.resolve(name))), answer.body(), name);
    }
    assertEquals(get("/console/index.html"), get("/console/"));
    for (String path : List.of("/console/x.js", "/console/../pom.xml", "/console/app.js/")) {
      assertEquals(HttpAnswer.notFound(), get(path), path);
    }
    assertEquals(HttpAnswer.methodNotAllowed("GET"), ask("POST", "/console/", Map.of()));
  }

  @Test
  void theShortAddressLeadsToThePage() {
    HttpAnswer answer = get("/console");
    assertEquals(308, answer.status());
    assertEquals("/console/", answer.headers().get("location"));
  }

  @Test
  void whatTheBrowserHasIsNotSentAgain() {
    HttpAnswer first = get("/console/app.js");
    String tag = Objects.requireNonNull(first.headers().get("etag"));
    HttpAnswer second = ask("GET", "/console/app.js", Map.of("if-none-match", tag));
    assertEquals(304, second.status());
    assertEquals(ByteString.EMPTY, second.body());
    assertEquals(200, ask("GET", "/console/app.js", Map.of("if-none-match", "\"x\"")).status());
  }

  @Test
  void headersKeepThePageToItself() {
    HttpAnswer answer = get("/console/");
    assertEquals("text/html; charset=utf-8", answer.contentType());
    assertEquals(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
            + " require-trusted-types-for 'script'; trusted-types 'none'",
        answer.headers().get("content-security-policy"));
    assertEquals("nosniff", answer.headers().get("x-content-type-options"));
    assertEquals("no-referrer", answer.headers().get("referrer-policy"));
  }

  /** No script or style in the page, nothing from elsewhere, and nobody parses markup. */
  @Test
  void filesKeepThePolicy() throws IOException {
    Pattern banned =
        Pattern.compile(
            "innerHTML|outerHTML|insertAdjacentHTML|document\\.write|DOMParser|eval\\(|new Function"
                + "|<script>|<style|\\sstyle=\"|@import|url\\(");
    for (String name : ConsolePages.FILES) {
      String text = Files.readString(SOURCES.resolve(name));
      assertFalse(banned.matcher(text).find(), name);
      assertFalse(
          text.replace("http://www.w3.org/2000/svg", "").contains("://"),
          name + " leads elsewhere");
    }
  }

  /** Modules are asked for one after the other, so a name that leads nowhere breaks the page. */
  @Test
  void everyImportLeadsToAFile() throws IOException {
    Set<String> unknown = new TreeSet<>();
    for (String name : ConsolePages.FILES) {
      Matcher from =
          Pattern.compile("from \"\\./([^\"]+)\"|(?:src|href)=\"/console/([^\"]+)\"")
              .matcher(Files.readString(SOURCES.resolve(name)));
      while (from.find()) {
        String target = from.group(1) == null ? from.group(2) : from.group(1);
        if (!ConsolePages.FILES.contains(target)) {
          unknown.add(name + " -> " + target);
        }
      }
    }
    assertEquals(Set.of(), unknown);
  }
}
