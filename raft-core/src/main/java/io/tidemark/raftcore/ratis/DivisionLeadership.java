package io.tidemark.raftcore.ratis;

import io.tidemark.raftcore.read.Follower;
import io.tidemark.raftcore.read.Leadership;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;

/** The leadership of a Ratis division. */
final class DivisionLeadership implements Leadership {
  private final RaftServer.Division division;
  private final LeaderAppenders appenders;
  private final String self;

  DivisionLeadership(RaftServer.Division division, LeaderAppenders appenders) {
    this.division = division;
    this.appenders = appenders;
    this.self = division.getId().toString();
  }

  @Override
  public boolean ready() {
    return division.getInfo().isAlive() && division.getInfo().isLeaderReady();
  }

  /** Whether this member leads, ready or not. */
  boolean leads() {
    DivisionInfo info = division.getInfo();
    return info.isAlive() && info.isLeader();
  }

  /** This member's id as Ratis knows it. */
  String peerId() {
    return self;
  }

  @Override
  public long term() {
    return division.getInfo().getCurrentTerm();
  }

  @Override
  public long committed() {
    return division.getRaftLog().getLastCommittedIndex();
  }

  @Override
  public boolean majority(Predicate<String> acknowledged) {
    RaftConfiguration configuration = division.getRaftConf();
    Collection<RaftPeer> previous = configuration.getPreviousPeers();
    return majority(configuration.getCurrentPeers(), acknowledged)
        && (previous.isEmpty() || majority(previous, acknowledged));
  }

  @Override
  public List<Follower> followers() {
    return appenders.followers();
  }

  /** The other voters of the current configuration. */
  List<String> voters() {
    return division.getRaftConf().getCurrentPeers().stream()
        .map(peer -> peer.getId().toString())
        .filter(peer -> !peer.equals(self))
        .toList();
  }

  private boolean majority(Collection<RaftPeer> voters, Predicate<String> acknowledged) {
    long count =
        voters.stream()
            .map(peer -> peer.getId().toString())
            .filter(peer -> peer.equals(self) || acknowledged.test(peer))
            .count();
    return count > voters.size() / 2;
  }
}
