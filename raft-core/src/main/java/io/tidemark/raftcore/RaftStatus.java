package io.tidemark.raftcore;

import java.time.Duration;

/**
 * A member's own view at one moment. The fields are read one after the other.
 *
 * @param memberId this member
 * @param leaderId the leader it follows or is; 0 = none
 * @param term its Raft term
 * @param commitIndex highest index it knows to be committed
 * @param appliedIndex highest index in its store
 * @param isLearner whether it doesn't vote
 * @param leaderCommitHeard the leader's commit index as last heard
 * @param leaderCommitAge how long ago that was; a lag of 0 is worth only as much as this is small
 * @param appliedRevision revision of its store
 * @param dispatchedRevision revision up to which its watchers were served
 * @param dbSize bytes allocated by the store
 * @param dbSizeInUse bytes in use
 */
public record RaftStatus(
    long memberId,
    long leaderId,
    long term,
    long commitIndex,
    long appliedIndex,
    boolean isLearner,
    long leaderCommitHeard,
    Duration leaderCommitAge,
    long appliedRevision,
    long dispatchedRevision,
    long dbSize,
    long dbSizeInUse) {}
