package io.tidemark.raftcore.propose;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/** Callers to be told, collected under the lock and told outside it. */
final class Completions {
  private final List<Runnable> actions = new ArrayList<>();

  void add(Pending pending, ProposalResult result) {
    actions.add(() -> pending.future.complete(result));
  }

  void run(Executor executor) {
    if (!actions.isEmpty()) {
      executor.execute(() -> actions.forEach(Runnable::run));
    }
  }
}
