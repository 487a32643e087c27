package io.tidemark.raftcore.ratis;

import java.util.Objects;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.grpc.server.GrpcLogAppender;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;

/** Makes log appenders whose replies {@link LeaderAppenders} also sees. */
final class TidemarkRpcFactory extends GrpcFactory {
  static final String APPENDERS = "tidemark.leader.appenders";

  private final LeaderAppenders appenders;

  TidemarkRpcFactory(Parameters parameters) {
    super(parameters);
    this.appenders =
        Objects.requireNonNull(parameters.get(APPENDERS, LeaderAppenders.class), APPENDERS);
  }

  @Override
  public LogAppender newLogAppender(
      RaftServer.Division server, LeaderState state, FollowerInfo follower) {
    GrpcLogAppender appender =
        new GrpcLogAppender(
            server, new ObservedLeaderState(state, appenders, new CaughtUp(server)), follower);
    appenders.add(appender);
    return appender;
  }
}
