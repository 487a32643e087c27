package io.tidemark.raftcore.propose;

/**
 * What a proposer has at one moment.
 *
 * @param commands taken and not over
 * @param queuedBytes bytes of those that stand in no entry yet
 */
public record Waiting(int commands, long queuedBytes) {}
