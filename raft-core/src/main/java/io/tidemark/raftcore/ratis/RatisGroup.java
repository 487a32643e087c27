package io.tidemark.raftcore.ratis;

import io.tidemark.raftcore.membership.Composition;
import io.tidemark.raftcore.membership.Group;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A Ratis division's configuration, and what its leader knows of the others. Thread-safe. */
final class RatisGroup implements Group {
  private static final Logger LOG = LoggerFactory.getLogger(RatisGroup.class);

  /** Longer than any staging: Ratis gives up by itself when a new peer makes no progress. */
  private static final long CHANGE_SECONDS = 300;

  private static final Duration HAND_OVER = Duration.ofSeconds(3);
  private static final double READY_SHARE = 0.9; // etcd's

  private final RatisNode node;
  private final RaftServer.Division division;
  private final LeaderAppenders appenders;
  private final Duration election;

  RatisGroup(
      RatisNode node, RaftServer.Division division, LeaderAppenders appenders, Duration election) {
    this.node = node;
    this.division = division;
    this.appenders = appenders;
    this.election = election;
  }

  @Override
  public boolean leads() {
    return node.leadingTerm() >= 0;
  }

  @Override
  public Composition composition() {
    RaftConfiguration now = division.getRaftConf();
    return new Composition(
        ids(now.getCurrentPeers(RaftPeerRole.FOLLOWER).stream()),
        ids(now.getCurrentPeers(RaftPeerRole.LISTENER).stream()),
        ids(
            Stream.concat(
                now.getPreviousPeers(RaftPeerRole.FOLLOWER).stream(),
                now.getPreviousPeers(RaftPeerRole.LISTENER).stream())));
  }

  private static Set<Long> ids(Stream<RaftPeer> peers) {
    return peers
        .map(peer -> RatisNode.memberId(peer.getId().toString()))
        .collect(Collectors.toSet());
  }

  @Override
  public CompletableFuture<Boolean> change(Set<Long> voters, Set<Long> learners) {
    SetConfigurationRequest.Arguments arguments =
        SetConfigurationRequest.Arguments.newBuilder()
            .setServersInNewConf(peers(voters, RaftPeerRole.FOLLOWER))
            .setListenersInNewConf(peers(learners, RaftPeerRole.LISTENER))
            .setMode(SetConfigurationRequest.Mode.SET_UNCONDITIONALLY)
            .build();
    return node.configure(arguments)
        .orTimeout(CHANGE_SECONDS, TimeUnit.SECONDS)
        .handle(
            (reply, failure) -> {
              if (failure == null && reply.isSuccess()) {
                return true;
              }
              LOG.info(
                  "{}: configuration not changed: {}",
                  node.id(),
                  failure != null ? failure.toString() : String.valueOf(reply.getException()));
              return false;
            });
  }

  private static List<RaftPeer> peers(Set<Long> ids, RaftPeerRole role) {
    List<RaftPeer> peers = new ArrayList<>();
    for (long id : ids) {
      String peerId = RatisNode.peerId(id);
      peers.add(
          RaftPeer.newBuilder()
              .setId(peerId)
              .setAddress(MemberAddresses.anyones(peerId))
              .setStartupRole(role)
              .build());
    }
    return peers;
  }

  @Override
  public CompletableFuture<Boolean> handOver(Collection<Long> candidates) {
    Optional<String> heir =
        candidates.stream()
            .filter(this::answers)
            .map(id -> appenders.get(RatisNode.peerId(id)))
            .max(Comparator.comparingLong(line -> line.appender().getFollower().getMatchIndex()))
            .map(LeaderAppenders.TrackedAppender::id);
    if (heir.isEmpty()) {
      return CompletableFuture.completedFuture(false);
    }
    return node.transfers()
        .move(heir.get(), HAND_OVER)
        .thenApply(move -> move == LeadershipMove.DONE);
  }

  @Override
  public boolean answers(long id) {
    LeaderAppenders.TrackedAppender line = line(id);
    return line != null && line.heardWithin(election, System.nanoTime());
  }

  @Override
  public boolean inSync(long id) {
    return holds(id, (long) Math.ceil(READY_SHARE * newest()));
  }

  @Override
  public long newest() {
    return division.getRaftLog().getNextIndex() - 1;
  }

  @Override
  public boolean holds(long id, long index) {
    LeaderAppenders.TrackedAppender line = line(id);
    return line != null && line.appender().getFollower().getMatchIndex() >= index;
  }

  /** Nothing if the member isn't in the configuration: its last line may still stand there. */
  private LeaderAppenders.@Nullable TrackedAppender line(long id) {
    return composition().contains(id) ? appenders.get(RatisNode.peerId(id)) : null;
  }
}
