package io.tidemark.it.chaosrun;

import io.tidemark.it.nemesis.FaultKind;
import io.tidemark.it.nemesis.FaultRecord;
import io.tidemark.it.nemesis.Nemesis;
import io.tidemark.it.nemesis.Schedule;
import io.tidemark.it.nemesis.Step;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.verdict.MemberState;
import io.tidemark.it.verdict.Recording;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Starts a cluster, loads it, breaks it by schedule, and records what happened. Blocks. */
public final class ChaosRun {
  private static final Duration FLOWS = Duration.ofMinutes(2);

  private final ChaosPlan plan;
  private final Consumer<String> progress;

  /**
   * A run to be.
   *
   * @param progress told a line for each fault
   */
  public ChaosRun(ChaosPlan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  /**
   * Runs it.
   *
   * @throws AssertionError when the cluster is so broken that nothing can be recorded
   */
  public Recording run() {
    ClusterPlan clusterPlan =
        ClusterPlan.of(plan.members()).onLinks().flags(plan.memberFlags().toArray(new String[0]));
    if (plan.kinds().contains(FaultKind.DISK_FULL)) {
      clusterPlan = clusterPlan.smallDisks(Set.of(Nemesis.SMALL_DISK));
    }
    try (ProcessCluster cluster = clusterPlan.start();
        Load load = new Load(cluster, plan.seed())) {
      try {
        return record(cluster, load);
      } finally {
        cluster.keepLogs(plan.directory());
      }
    }
  }

  private Recording record(ProcessCluster cluster, Load load) {
    Schedule schedule = new Schedule(plan.kinds(), plan.seed());
    Nemesis nemesis = new Nemesis(cluster);
    List<FaultRecord> faults = new ArrayList<>();
    long began = System.nanoTime();
    while (faults.size() < plan.faultsMax() && System.nanoTime() - began < plan.time().toNanos()) {
      load.keys().awaitChanges(plan.writesBetween(), FLOWS);
      Step step = schedule.next();
      FaultRecord fault = nemesis.strike(step);
      faults.add(fault);
      progress.accept(line(fault));
      if (fault.readyNanos() == 0) {
        break;
      }
    }
    load.keys().awaitChanges(plan.writesBetween(), FLOWS);
    Load.Result result = load.stop();
    List<MemberState> states = new ArrayList<>();
    for (int member = 0; member < cluster.size(); member++) {
      states.add(MemberState.of(member, cluster.client(member), result.lastRevision()));
    }
    return new Recording(
        plan.seed(),
        plan.members(),
        began,
        System.nanoTime(),
        result.operations(),
        result.tapes(),
        result.holds(),
        result.leases(),
        result.compactions(),
        result.leaders(),
        faults,
        states);
  }

  private static String line(FaultRecord fault) {
    String detected =
        fault.detectMillis() < 0 ? "" : ", new leader after " + fault.detectMillis() + " ms";
    String ready =
        fault.readyNanos() == 0
            ? "NOT READY in time"
            : "ready " + fault.recoverMillis() + " ms after healing";
    String proof = fault.effective() ? fault.proof() : "DID NOTHING";
    return fault.step() + "  " + fault.members() + ": " + proof + detected + ", " + ready;
  }
}
