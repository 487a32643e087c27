package io.tidemark.server.http;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/** {@code /version}. */
public final class VersionPage implements HttpEndpoint {
  private final String server;
  private final String cluster;
  private final BooleanSupplier decided;

  /** A cluster that had a leader once has a version for good. */
  private volatile boolean wasDecided;

  /**
   * A page that names these versions.
   *
   * @param decided whether the cluster exists, so that it has a version
   */
  public VersionPage(String server, String cluster, BooleanSupplier decided) {
    this.server = server;
    this.cluster = cluster;
    this.decided = decided;
  }

  @Override
  public CompletionStage<HttpAnswer> answer(HttpQuestion question) {
    boolean known = wasDecided || decided.getAsBoolean();
    wasDecided = known;
    return CompletableFuture.completedFuture(
        HttpAnswer.json(
            200,
            "{\"etcdserver\":\"%s\",\"etcdcluster\":\"%s\",\"storage\":\"%s\"}"
                .formatted(server, known ? cluster : "not_decided", known ? cluster : "unknown")));
  }
}
