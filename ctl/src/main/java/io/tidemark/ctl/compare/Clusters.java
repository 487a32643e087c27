package io.tidemark.ctl.compare;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The clusters of this process, which end with it, however it ends. */
final class Clusters implements AutoCloseable {
  private final List<LocalCluster> running = new CopyOnWriteArrayList<>();
  private final Thread hook =
      new Thread(() -> running.forEach(LocalCluster::kill), "tidemark-compare-cleanup");

  Clusters() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  LocalCluster start(
      Contender contender, Path directory, int basePort, List<String> flags, boolean secured) {
    LocalCluster cluster =
        LocalCluster.start(
            contender, directory.resolve(contender.name()), basePort, flags, secured);
    running.add(cluster);
    return cluster;
  }

  @Override
  public void close() {
    running.forEach(LocalCluster::close);
    running.clear();
  }
}
