package io.tidemark.it.nemesis;

import io.tidemark.it.rig.ProcessCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** SIGTERM and a start on one member after the other, each serving again before the next. */
final class RollingRestart implements Fault {
  private static final Duration EXIT = Duration.ofSeconds(20);

  private final ProcessCluster cluster;
  private final List<Integer> order;
  private final List<Integer> codes = new ArrayList<>();

  RollingRestart(ProcessCluster cluster, Random random) {
    this.cluster = cluster;
    this.order =
        new ArrayList<>(IntStream.range(0, cluster.size()).boxed().collect(Collectors.toList()));
    Collections.shuffle(order, random);
  }

  @Override
  public void inflict() {
    for (int member : order) {
      cluster.member(member).terminate();
      codes.add(cluster.member(member).awaitExit(EXIT));
      cluster.restart(member);
    }
  }

  @Override
  public Set<Integer> victims() {
    return Set.copyOf(order);
  }

  @Override
  public boolean unseats() {
    return false;
  }

  @Override
  public String proof() {
    return codes.stream().allMatch(code -> code == 143) ? "ended with " + codes : "";
  }

  @Override
  public void heal() {
    // All of them run.
  }
}
