package io.tidemark.ctl.compare;

import io.tidemark.ctl.bench.KeySpace;
import io.tidemark.ctl.bench.LoadReport;
import io.tidemark.ctl.bench.LoadRun;
import io.tidemark.ctl.bench.Phases;
import io.tidemark.ctl.bench.Target;
import io.tidemark.ctl.bench.Window;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Runs lines against clusters that are already up. The contender that waits is idle, or stopped by
 * a signal if asked; before its turn it then has to show a leader and linearizable reads again.
 * Blocking; main thread only.
 */
final class Comparison {
  /** The client warms up on etcd too, if for less time: it has no code to compile. */
  private static final Duration ETCD_WARMUP = Duration.ofSeconds(2);

  private final @Nullable LocalCluster etcd;
  private final @Nullable LocalCluster tidemark;
  private final KeySpace keys;
  private final Phases phases;
  private final boolean stopIdle;
  private final PrintWriter progress;

  Comparison(
      @Nullable LocalCluster etcd,
      @Nullable LocalCluster tidemark,
      KeySpace keys,
      Phases phases,
      boolean stopIdle,
      PrintWriter progress) {
    this.etcd = etcd;
    this.tidemark = tidemark;
    this.keys = keys;
    this.phases = phases;
    this.stopIdle = stopIdle;
    this.progress = progress;
  }

  /** Waits for the clusters and asks their clients to sign in from now on. */
  void demandPasswords() throws InterruptedException {
    for (LocalCluster cluster : clusters()) {
      cluster.awaitReady(keys);
      cluster.demandPasswords();
    }
  }

  /** Fills the key space, then runs every line for a while and forgets the results. */
  void warmUp(List<Row> rows, Duration perRow) throws InterruptedException {
    for (LocalCluster cluster : clusters()) {
      cluster.awaitReady(keys);
      say("%s is up, version %s", cluster.contender().name(), cluster.version());
      new LoadRun(Target.of(cluster.endpoints()), keys, phases, Window.ignored()).fill();
    }
    for (Row row : rows) {
      for (LocalCluster cluster : clusters()) {
        Duration length = cluster == tidemark ? perRow : ETCD_WARMUP;
        if (!length.isZero()) {
          say("warm-up %s %s", row.title(), cluster.contender().name());
          measure(row, cluster, Phases.of(Duration.ZERO, length));
        }
      }
    }
  }

  RowResult run(Row row, int pairs) throws InterruptedException {
    List<Outcome> ofEtcd = new ArrayList<>();
    List<Outcome> ofTidemark = new ArrayList<>();
    for (int pair = 0; pair < pairs; pair++) {
      for (LocalCluster cluster : clusters()) {
        Outcome outcome = measure(row, cluster, phases);
        (cluster == etcd ? ofEtcd : ofTidemark).add(outcome);
        say(
            "%s %s %d/%d: %.0f op/s, p50 %.2f ms, p99 %.2f ms, %d errors, others use %.1f cores%s",
            row.title(),
            cluster.contender().name(),
            pair + 1,
            pairs,
            outcome.report().operationsPerSecond(),
            outcome.report().latency().p50(),
            outcome.report().latency().p99(),
            outcome.report().errorCount(),
            outcome.foreignCores(),
            outcome.leaderChanged() ? ", leader changed" : "");
      }
    }
    return new RowResult(row, ofEtcd, ofTidemark);
  }

  private Outcome measure(Row row, LocalCluster cluster, Phases length)
      throws InterruptedException {
    LocalCluster other = cluster == etcd ? tidemark : etcd;
    if (stopIdle && other != null) {
      other.pause();
    }
    try {
      cluster.awaitReady(keys);
      int leader = cluster.leader();
      UsageInWindow usage = new UsageInWindow(cluster, other);
      Target target = Target.of(row.through().choose(cluster.endpoints(), leader));
      LoadReport report =
          new LoadRun(target, keys, length, usage).run(row.on(cluster.endpoints(), leader));
      cluster.awaitReady(keys);
      return usage.outcome(report, cluster.leader() != leader);
    } finally {
      if (stopIdle && other != null) {
        other.resume();
      }
    }
  }

  private List<LocalCluster> clusters() {
    List<LocalCluster> clusters = new ArrayList<>();
    if (etcd != null) {
      clusters.add(etcd);
    }
    if (tidemark != null) {
      clusters.add(tidemark);
    }
    return clusters;
  }

  private void say(String format, Object... values) {
    progress.printf(Locale.ROOT, format + "%n", values);
    progress.flush();
  }

  /** Reads the members' use of the machine at both ends of the window. */
  private static final class UsageInWindow implements Window {
    private final LocalCluster measured;
    private final @Nullable LocalCluster waiting;
    private ProcUsage before = new ProcUsage(0, 0);
    private ProcUsage after = before;
    private double waitingBefore;
    private double waitingAfter;
    private double machineBefore;
    private double machineAfter;

    UsageInWindow(LocalCluster measured, @Nullable LocalCluster waiting) {
      this.measured = measured;
      this.waiting = waiting;
    }

    @Override
    public void opened() {
      before = measured.usage();
      machineBefore = ProcUsage.machineCpuSeconds();
      waitingBefore = waiting == null ? 0 : waiting.usage().cpuSeconds();
    }

    @Override
    public void closed() {
      after = measured.usage();
      machineAfter = ProcUsage.machineCpuSeconds();
      waitingAfter = waiting == null ? 0 : waiting.usage().cpuSeconds();
    }

    Outcome outcome(LoadReport report, boolean leaderChanged) {
      double servers = after.cpuSeconds() - before.cpuSeconds();
      double others = waitingAfter - waitingBefore;
      double ours = servers + others + report.clientCpuSeconds();
      return new Outcome(
          report,
          servers,
          after.rssBytes(),
          others,
          Math.max(0, machineAfter - machineBefore - ours),
          leaderChanged);
    }
  }
}
