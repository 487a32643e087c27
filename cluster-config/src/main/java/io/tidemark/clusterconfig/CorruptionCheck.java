package io.tidemark.clusterconfig;

import java.time.Duration;

/**
 * Comparison of what the members hold.
 *
 * @param atStart whether a member compares itself with the others before it serves
 * @param period how often the leader compares all; zero for never
 * @param afterCompaction how often the leader looks whether there was a compaction, after which it
 *     compares all; zero for never
 */
public record CorruptionCheck(boolean atStart, Duration period, Duration afterCompaction) {}
