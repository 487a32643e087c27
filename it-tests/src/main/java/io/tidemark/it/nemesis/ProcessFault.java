package io.tidemark.it.nemesis;

import io.tidemark.it.process.MemberProcess;
import io.tidemark.it.rig.ProcessCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Signals to processes: killed and started again, or stopped and continued. */
final class ProcessFault implements Fault {
  private final ProcessCluster cluster;
  private final Set<Integer> victims;
  private final boolean kill;
  private final List<Long> gone = new ArrayList<>();

  private ProcessFault(ProcessCluster cluster, Set<Integer> victims, boolean kill) {
    this.cluster = cluster;
    this.victims = Set.copyOf(victims);
    this.kill = kill;
  }

  static Fault kill(ProcessCluster cluster, Set<Integer> victims) {
    return new ProcessFault(cluster, victims, true);
  }

  static Fault pause(ProcessCluster cluster, int victim) {
    return new ProcessFault(cluster, Set.of(victim), false);
  }

  @Override
  public void inflict() {
    for (int victim : victims) {
      MemberProcess process = cluster.member(victim);
      gone.add(process.pid());
      if (kill) {
        process.kill();
      } else {
        process.pause();
      }
    }
  }

  @Override
  public Set<Integer> victims() {
    return victims;
  }

  @Override
  public boolean unseats() {
    return victims.size() * 2 < cluster.size();
  }

  @Override
  public String proof() {
    for (int victim : victims) {
      MemberProcess process = cluster.member(victim);
      if (kill ? process.isAlive() : !isStopped(process.pid())) {
        return "";
      }
    }
    return (kill ? "gone: process " : "stopped: process ") + gone;
  }

  /** Whether the system says that the process is stopped by a signal. */
  private static boolean isStopped(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      return stat.startsWith("T", stat.lastIndexOf(')') + 2);
    } catch (IOException gone) {
      return false;
    }
  }

  @Override
  public void heal() {
    for (int victim : victims) {
      if (kill) {
        cluster.member(victim).start();
      } else {
        cluster.member(victim).resume();
      }
    }
  }
}
