package io.tidemark.testkit;

import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A cluster for the tests of a class: registered by a static field it runs for all of them, by an
 * instance field for each anew.
 *
 * <pre>{@code
 * @RegisterExtension
 * static final TidemarkClusterExtension cluster =
 *     new TidemarkClusterExtension(TidemarkCluster.builder().withNodes(3).withPrefix("lock"));
 * }</pre>
 *
 * <p>Used by JUnit's thread for the class.
 */
public final class TidemarkClusterExtension
    implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {
  private final ClusterBuilder builder;
  private @Nullable TidemarkCluster running;
  private boolean forAll;

  public TidemarkClusterExtension(ClusterBuilder builder) {
    this.builder = builder;
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    forAll = true;
    running = builder.start();
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    if (!forAll) {
      running = builder.start();
    }
  }

  @Override
  public void afterEach(ExtensionContext context) {
    if (!forAll) {
      close();
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    close();
  }

  private void close() {
    if (running != null) {
      running.close();
      running = null;
    }
  }

  /** The cluster, while tests run. */
  public TidemarkCluster cluster() {
    if (running == null) {
      throw new IllegalStateException("the cluster runs only while tests do");
    }
    return running;
  }

  /** As {@link TidemarkCluster#clientEndpoints}. */
  public List<URI> clientEndpoints() {
    return cluster().clientEndpoints();
  }

  /** As {@link TidemarkCluster#restart}. */
  public void restart() {
    cluster().restart();
  }
}
