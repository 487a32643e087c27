package io.tidemark.server.http;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Finds the page for a path: an exact one, else the longest prefix that ends in a slash. */
public final class Pages implements HttpEndpoint {
  private final Map<String, HttpEndpoint> byPath = new HashMap<>();

  /**
   * Adds a page. A path that ends in a slash stands for everything below it. Before the port opens
   * only.
   */
  public Pages add(String path, HttpEndpoint page) {
    byPath.put(path, page);
    return this;
  }

  /** Adds a page that takes GET only. */
  public Pages addGet(String path, HttpEndpoint page) {
    return add(
        path,
        question ->
            question.method().equals("GET")
                ? page.answer(question)
                : CompletableFuture.completedFuture(HttpAnswer.methodNotAllowed("GET")));
  }

  @Override
  public CompletionStage<HttpAnswer> answer(HttpQuestion question) {
    String path = question.path();
    HttpEndpoint page = byPath.get(path);
    for (int slash = path.lastIndexOf('/'); page == null && slash >= 0; ) {
      page = byPath.get(path.substring(0, slash + 1));
      slash = path.lastIndexOf('/', slash - 1);
    }
    return page == null
        ? CompletableFuture.completedFuture(HttpAnswer.notFound())
        : page.answer(question);
  }
}
