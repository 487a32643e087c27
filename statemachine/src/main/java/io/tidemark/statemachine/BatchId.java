package io.tidemark.statemachine;

/**
 * Names a batch of commands from the moment it is proposed, on every member that sees it.
 *
 * @param memberId the member that built the batch
 * @param incarnation tells one run of that member's process from another; later runs have higher
 *     ones
 * @param sequence counts the batches of that run; negative for one that is sent once at most, and
 *     that no member has to remember
 */
public record BatchId(long memberId, long incarnation, long sequence) {}
