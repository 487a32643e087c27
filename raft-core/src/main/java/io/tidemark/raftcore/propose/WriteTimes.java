package io.tidemark.raftcore.propose;

/**
 * When an entry got from stage to stage, as this member saw it; shared by all its commands. On the
 * clock of {@link System#nanoTime}.
 *
 * @param sentNanos when it was first handed to a leader: its commands waited until then
 * @param applyNanos when this member began to apply it: by then a majority had it on disk
 * @param appliedNanos when it could be read here
 */
public record WriteTimes(long sentNanos, long applyNanos, long appliedNanos) {}
