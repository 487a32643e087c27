package io.tidemark.server.console;

import com.google.protobuf.ByteString;
import io.tidemark.server.http.HttpAnswer;
import io.tidemark.server.http.HttpEndpoint;
import io.tidemark.server.http.HttpQuestion;
import io.tidemark.server.http.Pages;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The console's files. They hold no data, so anybody who may connect may have them; what the page
 * shows comes from calls that know their caller.
 */
public final class ConsolePages implements HttpEndpoint {
  /** Every file, as it lies in {@code src/main/resources/console}. */
  static final List<String> FILES =
      List.of(
          "index.html",
          "style.css",
          "views.css",
          "icon.svg",
          "app.js",
          "api.js",
          "bytes.js",
          "cluster.js",
          "diff.js",
          "dom.js",
          "help.js",
          "hex.js",
          "json.js",
          "login.js",
          "plot.js",
          "prometheus.js",
          "alarms.js",
          "feed.js",
          "history.js",
          "keys.js",
          "leases.js",
          "members.js",
          "rates.js",
          "timeline.js",
          "tree.js",
          "value.js",
          "watchers.js");

  /**
   * Nothing but this member's own files and answers, no script in the page, no frame around it; and
   * text never becomes markup, since nothing may turn it into such.
   */
  static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
          + " require-trusted-types-for 'script'; trusted-types 'none'";

  private static final String FOLDER = "/console/";
  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "svg", "image/svg+xml");

  private final Map<String, HttpAnswer> byPath = new HashMap<>();

  /** Reads all files. */
  public ConsolePages() {
    for (String name : FILES) {
      byPath.put(FOLDER + name, page(name, content(name)));
    }
    byPath.put(FOLDER, page("index.html", content("index.html")));
  }

  public void register(Pages pages) {
    pages.addGet("/console", question -> done(moved())).addGet(FOLDER, this);
  }

  @Override
  public CompletionStage<HttpAnswer> answer(HttpQuestion question) {
    HttpAnswer page = byPath.get(question.path());
    if (page == null) {
      return done(HttpAnswer.notFound());
    }
    String tag = page.headers().get("etag");
    return tag != null && tag.equals(question.headers().get("if-none-match"))
        ? done(with(304, page.contentType(), ByteString.EMPTY, page.headers()))
        : done(page);
  }

  private static HttpAnswer moved() {
    return with(308, "text/plain; charset=utf-8", ByteString.EMPTY, Map.of("location", FOLDER));
  }

  private static HttpAnswer page(String name, ByteString content) {
    String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
    if (type == null) {
      throw new IllegalArgumentException("no media type for " + name);
    }
    Map<String, String> headers =
        Map.of(
            "content-security-policy", POLICY,
            "x-content-type-options", "nosniff",
            "referrer-policy", "no-referrer",
            "cross-origin-resource-policy", "same-origin",
            "cache-control", "no-cache",
            "etag", tag(content));
    return with(200, type, content, headers);
  }

  private static HttpAnswer with(
      int status, String type, ByteString body, Map<String, String> headers) {
    return new HttpAnswer(status, type, body, headers, null);
  }

  private static ByteString content(String name) {
    try (InputStream in = ConsolePages.class.getResourceAsStream(FOLDER + name)) {
      if (in == null) {
        throw new IllegalStateException("this build lacks " + FOLDER + name);
      }
      return ByteString.readFrom(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String tag(ByteString content) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(content.toByteArray());
      return '"' + HexFormat.of().formatHex(digest, 0, 12) + '"';
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private static CompletionStage<HttpAnswer> done(HttpAnswer answer) {
    return CompletableFuture.completedFuture(answer);
  }
}
