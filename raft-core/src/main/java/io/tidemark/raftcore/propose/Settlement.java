package io.tidemark.raftcore.propose;

import io.tidemark.api.errors.EtcdError;
import io.tidemark.raftcore.metrics.WriteMetrics;
import io.tidemark.statemachine.Outcome;
import java.util.List;
import java.util.concurrent.Executor;

/** Completes the callers of entries that were applied, in apply order. Thread-safe. */
final class Settlement {
  private final Executor completions;
  private final WriteMetrics metrics;

  Settlement(Executor completions, WriteMetrics metrics) {
    this.completions = completions;
    this.metrics = metrics;
  }

  /**
   * Completes the callers of a batch that is over and was sealed, so that its commands are final.
   *
   * @param outcomes one a command; without them, what became of the commands is unknown
   */
  void settle(Batch batch, List<Outcome> outcomes, WriteTimes times) {
    List<Pending> commands = batch.commands;
    metrics.committed(times.applyNanos() - times.sentNanos());
    completions.execute(
        () -> {
          for (int i = 0; i < commands.size(); i++) {
            commands
                .get(i)
                .future
                .complete(
                    outcomes.size() == commands.size()
                        ? new ProposalResult.Applied(outcomes.get(i), times)
                        : new ProposalResult.Unknown(EtcdError.TIMEOUT));
          }
          metrics.replied(System.nanoTime() - times.appliedNanos());
        });
  }
}
