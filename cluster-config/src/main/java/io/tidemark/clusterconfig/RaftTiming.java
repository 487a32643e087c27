package io.tidemark.clusterconfig;

/**
 * Pace of the replicated log.
 *
 * @param heartbeatMillis interval of the leader's heartbeats
 * @param electionMillis election time-out; at least five heartbeats, at most 50,000
 * @param snapshotCount applied entries after which a snapshot is due
 * @param snapshotCatchupEntries entries kept for followers that lag behind a snapshot
 * @param preVote ask for votes before raising the term
 * @param unsafeNoFsync leave out fsync (loses data on power failure)
 */
public record RaftTiming(
    int heartbeatMillis,
    int electionMillis,
    long snapshotCount,
    long snapshotCatchupEntries,
    boolean preVote,
    boolean unsafeNoFsync) {}
