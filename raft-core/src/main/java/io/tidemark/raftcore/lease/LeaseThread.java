package io.tidemark.raftcore.lease;

/** The one thread that owns a {@link LeaseKeeper}. After close tasks are dropped. Any thread. */
public interface LeaseThread {
  /** Runs a task after those that came before. */
  void execute(Runnable task);

  /** Runs a task after a while. */
  void schedule(Runnable task, long nanos);
}
