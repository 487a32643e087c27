package io.tidemark.it.support;

import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.LiveClusters;
import io.tidemark.it.rig.ProcessCluster;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * Clusters of a test, or of a class, closed at its end whatever happened. A failing test shows the
 * newest output of every member.
 */
public final class Clusters
    implements AfterEachCallback, AfterAllCallback, TestExecutionExceptionHandler {
  private final boolean shared;
  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  private Clusters(boolean shared) {
    this.shared = shared;
  }

  /** For a static field: closed after the last test of the class. */
  public static Clusters perClass() {
    return new Clusters(true);
  }

  /** For an instance field: closed after each test. */
  public static Clusters perTest() {
    return new Clusters(false);
  }

  /** Starts a cluster. */
  public ProcessCluster start(ClusterPlan plan) {
    return closing(plan.start());
  }

  /** Anything else that must be closed, before what was opened earlier. */
  public <T extends AutoCloseable> T closing(T resource) {
    open.push(resource);
    return resource;
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    System.out.println("==== " + context.getDisplayName() + " failed; members printed:");
    System.out.println(LiveClusters.logs());
    throw failure;
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    if (!shared) {
      closeAll();
    }
  }

  @Override
  public void afterAll(ExtensionContext context) throws Exception {
    closeAll();
  }

  private void closeAll() throws Exception {
    while (!open.isEmpty()) {
      open.pop().close();
    }
  }
}
