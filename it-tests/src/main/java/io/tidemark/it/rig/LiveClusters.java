package io.tidemark.it.rig;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** The clusters that run in this JVM, so that a failing test can show their logs. Any thread. */
public final class LiveClusters {
  private static final Set<ProcessCluster> LIVE = ConcurrentHashMap.newKeySet();

  private LiveClusters() {}

  static void add(ProcessCluster cluster) {
    LIVE.add(cluster);
  }

  static void remove(ProcessCluster cluster) {
    LIVE.remove(cluster);
  }

  /** The newest output of every member that runs. */
  public static String logs() {
    return LIVE.stream().map(ProcessCluster::logs).collect(Collectors.joining("\n"));
  }
}
