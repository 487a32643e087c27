package io.tidemark.raftcore.ratis;

import java.util.List;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;
import org.apache.ratis.server.protocol.TermIndex;

/**
 * Ratis's leader state, put right by {@link CaughtUp}, and with each request and reply a call to
 * {@link LeaderAppenders}.
 */
final class ObservedLeaderState implements LeaderState {
  private final LeaderState delegate;
  private final LeaderAppenders appenders;
  private final CaughtUp caughtUp;

  ObservedLeaderState(LeaderState delegate, LeaderAppenders appenders, CaughtUp caughtUp) {
    this.delegate = delegate;
    this.appenders = appenders;
    this.caughtUp = caughtUp;
  }

  @Override
  public void restart(LogAppender appender) {
    delegate.restart(appender);
  }

  @Override
  public AppendEntriesRequestProto newAppendEntriesRequestProto(
      FollowerInfo follower, List<LogEntryProto> entries, TermIndex previous, long callId) {
    AppendEntriesRequestProto request =
        delegate.newAppendEntriesRequestProto(follower, entries, previous, callId);
    boolean votes = caughtUp.votes(follower.getId());
    if (request.getInitializing() == votes) {
      // Who has a vote must use it; who has none, and began as a follower, must not stand.
      request = request.toBuilder().setInitializing(!votes).build();
    }
    appenders.onRequest(follower.getId().toString(), request);
    return request;
  }

  @Override
  public void checkHealth(FollowerInfo follower) {
    delegate.checkHealth(follower);
  }

  @Override
  public boolean onFollowerTerm(FollowerInfo follower, long followerTerm) {
    return delegate.onFollowerTerm(follower, followerTerm);
  }

  @Override
  public void onFollowerCommitIndex(FollowerInfo follower, long commitIndex) {
    delegate.onFollowerCommitIndex(follower, commitIndex);
  }

  @Override
  public void onFollowerSuccessAppendEntries(FollowerInfo follower) {
    delegate.onFollowerSuccessAppendEntries(follower);
  }

  @Override
  public boolean isFollowerBootstrapping(FollowerInfo follower) {
    return delegate.isFollowerBootstrapping(follower);
  }

  @Override
  public void onAppendEntriesReply(LogAppender appender, AppendEntriesReplyProto reply) {
    delegate.onAppendEntriesReply(appender, reply);
    appenders.onReply(appender, reply);
    caughtUp.answered(delegate, appender.getFollower());
  }
}
