package io.tidemark.watch;

/** Reads the past for watchers that are behind, one stretch per turn. Thread: cursor. */
final class CursorAgent implements AgentLoop.Agent {
  private final CursorHandoff handoff;
  private final Runnable onDone;

  CursorAgent(CursorHandoff handoff, Runnable onDone) {
    this.handoff = handoff;
    this.onDone = onDone;
  }

  @Override
  public int doWork() {
    CatchUp job = handoff.take();
    if (job == null) {
      return 0;
    }
    job.run();
    handoff.done(job);
    onDone.run();
    return 1;
  }

  @Override
  public long idleNanos() {
    return Long.MAX_VALUE;
  }
}
