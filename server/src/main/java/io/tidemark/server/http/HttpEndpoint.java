package io.tidemark.server.http;

import java.util.concurrent.CompletionStage;

/** Answers HTTP requests. Thread: called on an event loop, which it must not block. */
@FunctionalInterface
public interface HttpEndpoint {
  /** The answer, on any thread; a failed stage is reported as an internal error. */
  CompletionStage<HttpAnswer> answer(HttpQuestion question);
}
