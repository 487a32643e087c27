package io.tidemark.it.nemesis;

import io.tidemark.it.client.MemberClient;
import io.tidemark.it.process.Await;
import io.tidemark.it.process.Patience;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.rig.Replicas;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Does one fault after the other to a cluster, each of them healed before the next. One thread. */
public final class Nemesis {
  /** Within this all members serve again after a fault is healed, and have caught up. */
  public static final Duration READY_MAX = Duration.ofSeconds(30);

  /** The member whose disk is small, if the faults need one. */
  public static final int SMALL_DISK = 0;

  private static final Duration LEADER_MAX = Duration.ofSeconds(20);
  private static final Duration ONE_ANSWER = Duration.ofSeconds(2);

  private final ProcessCluster cluster;

  public Nemesis(ProcessCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Does it, heals it, and waits until all members are ready.
   *
   * @return what happened; nothing is thrown for a fault without effect or a cluster that isn't
   *     ready
   */
  public FaultRecord strike(Step step) {
    int leader = cluster.awaitLeader();
    Random random = new Random(step.seed());
    int victim = step.role() == Step.Role.LEADER ? leader : follower(leader, random);
    // A leader in the middle is heard by all: the bridge has to be somebody else.
    boolean bridge = step.kind() == FaultKind.BRIDGE && victim == leader;
    Fault fault = fault(step, bridge ? follower(leader, random) : victim, random);
    long began = System.nanoTime();
    fault.inflict();
    long detect = fault.unseats() && fault.victims().contains(leader) ? detect(fault, began) : -1;
    while (System.nanoTime() - began < step.hold().toNanos()) {
      LockSupport.parkNanos(10_000_000);
    }
    String proof = fault.proof();
    fault.heal();
    long healed = System.nanoTime();
    long ready = awaitReady() ? System.nanoTime() : 0;
    if (ready != 0 && !proof.isEmpty()) {
      proof = fault.confirm(proof);
    }
    return new FaultRecord(step, names(fault.victims()), began, healed, ready, detect, proof);
  }

  private int follower(int leader, Random random) {
    return List.copyOf(cluster.allBut(leader)).get(random.nextInt(cluster.size() - 1));
  }

  private static String names(Set<Integer> members) {
    return members.stream().sorted().map(member -> "m" + member).collect(Collectors.joining("+"));
  }

  private Fault fault(Step step, int victim, Random random) {
    return switch (step.kind()) {
      case KILL -> ProcessFault.kill(cluster, Set.of(victim));
      case BLACKOUT ->
          ProcessFault.kill(
              cluster, IntStream.range(0, cluster.size()).boxed().collect(Collectors.toSet()));
      case PAUSE -> ProcessFault.pause(cluster, victim);
      case ISOLATE -> LinkFault.isolate(cluster, victim);
      case ONE_WAY -> LinkFault.oneWay(cluster, victim, random);
      case BRIDGE -> LinkFault.bridge(cluster, victim, random);
      case SPLIT -> LinkFault.split(cluster, victim, random);
      case DELAY -> LinkFault.delay(cluster, victim, random);
      case LOSS -> LinkFault.loss(cluster, random);
      case ROLLING_RESTART -> new RollingRestart(cluster, random);
      case REPLACE -> new Replacement(cluster, victim);
      case INSTALL -> new ForcedInstall(cluster, victim);
      case DISK_FULL -> new FullDisk(cluster, SMALL_DISK);
      case FSYNC_ERROR -> SyncFault.error(cluster, victim);
      case SLOW_DISK ->
          SyncFault.delay(cluster, victim, Duration.ofMillis(10 + random.nextInt(100)));
      case DISK_STALL -> SyncFault.delay(cluster, victim, Duration.ofSeconds(3));
      case TORN_TAIL -> FileFault.torn(cluster, victim, random);
      case MISSING_FILES -> FileFault.missing(cluster, victim, random);
      case CORRUPT_LOG -> FileFault.corrupt(cluster, victim, random);
    };
  }

  /** Milliseconds until those who aren't hit agree on a leader among them. */
  private long detect(Fault fault, long began) {
    Set<Integer> rest =
        IntStream.range(0, cluster.size())
            .boxed()
            .filter(member -> !fault.victims().contains(member))
            .collect(Collectors.toSet());
    Await.until(
        "a leader among " + rest, LEADER_MAX, () -> rest.contains(cluster.awaitLeader(rest)));
    return (System.nanoTime() - began) / 1_000_000;
  }

  /** Whether every member served, and held what had been written by then, within the bound. */
  private boolean awaitReady() {
    long deadline = System.nanoTime() + Patience.stretch(READY_MAX).toNanos();
    List<CompletableFuture<Boolean>> all = new ArrayList<>();
    for (MemberClient client : cluster.clients()) {
      all.add(
          CompletableFuture.supplyAsync(
              () -> isReadyBy(client, deadline), look -> new Thread(look, "it-ready").start()));
    }
    return all.stream().map(CompletableFuture::join).toList().stream().allMatch(ready -> ready);
  }

  private static boolean isReadyBy(MemberClient client, long deadline) {
    MemberClient brief = client.patient(ONE_ANSWER);
    while (System.nanoTime() < deadline) {
      brief.redial();
      var read = brief.get("health");
      if (read.answered()
          && Replicas.localRevision(brief) >= read.answer().getHeader().getRevision()) {
        return true;
      }
      LockSupport.parkNanos(10_000_000);
    }
    return false;
  }
}
