package io.tidemark.it.nemesis;

import io.tidemark.it.process.MemberProcess;
import io.tidemark.it.rig.ProcessCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A member's calls to sync its files fail, or take long. One whose disk fails has to stop by
 * itself; one whose disk is slow goes on.
 */
final class SyncFault implements Fault {
  private static final Duration STOPS = Duration.ofSeconds(30);
  private static final Duration TRACED = Duration.ofSeconds(10);

  private final ProcessCluster cluster;
  private final int victim;
  private final String effect;
  private final boolean stops;
  private @Nullable Tracer tracer;
  private int exit = -1;
  private long tampered;

  private SyncFault(ProcessCluster cluster, int victim, String effect, boolean stops) {
    this.cluster = cluster;
    this.victim = victim;
    this.effect = effect;
    this.stops = stops;
  }

  static Fault error(ProcessCluster cluster, int victim) {
    return new SyncFault(cluster, victim, "error=EIO", true);
  }

  /** Each call takes this much longer. */
  static Fault delay(ProcessCluster cluster, int victim, Duration delay) {
    return new SyncFault(cluster, victim, "delay_enter=" + delay.toNanos() / 1_000, false);
  }

  @Override
  public void inflict() {
    MemberProcess process = cluster.member(victim);
    Path trace = cluster.directory().resolve("trace-" + process.pid() + "-" + System.nanoTime());
    tracer = new Tracer(process.pid(), effect, trace);
    if (stops) {
      exit = process.awaitExit(STOPS);
    }
  }

  @Override
  public Set<Integer> victims() {
    return Set.of(victim);
  }

  @Override
  public boolean unseats() {
    return stops;
  }

  @Override
  public String proof() {
    tampered = firstTampered();
    if (tampered == 0) {
      return "";
    }
    String calls = tampered + " calls with " + effect;
    if (!stops) {
      return calls;
    }
    boolean told = cluster.member(victim).recentOutput().contains("tidemark: can't go on: ");
    return exit == 1 && told ? calls + ", stopped by itself" : "";
  }

  /** A call is in the trace once it has ended, which a stalled one takes its time for. */
  private long firstTampered() {
    Tracer tracing = tracer;
    long deadline = System.nanoTime() + TRACED.toNanos();
    long calls = 0;
    while (tracing != null && calls == 0 && System.nanoTime() < deadline) {
      calls = tracing.tampered();
      LockSupport.parkNanos(20_000_000);
    }
    return calls;
  }

  @Override
  public void heal() {
    if (tracer != null) {
      tracer.close();
    }
    if (stops) {
      cluster.member(victim).start();
    }
  }
}
