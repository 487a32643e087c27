package io.tidemark.raftcore;

import com.codahale.metrics.MetricRegistry;
import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.mvcc.AppliedPosition;
import io.tidemark.mvcc.ReadView;
import io.tidemark.raftcore.apply.Replica;
import io.tidemark.raftcore.metrics.SnapshotMetrics;
import io.tidemark.raftcore.ratis.LogAtRest;
import io.tidemark.raftcore.ratis.RatisNode;
import io.tidemark.raftcore.settings.PeerMember;
import io.tidemark.raftcore.settings.RaftMemberSettings;
import io.tidemark.raftcore.snapshot.StoreHome;
import io.tidemark.statemachine.Genesis;
import io.tidemark.statemachine.read.MemberTable;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A member whose cluster has lost its majority becomes a cluster of one, with its data, its id and
 * the cluster's. The others count as removed.
 *
 * <p>Everything in its log is kept: what the lost majority may have acknowledged is there, though
 * this member may never have heard that it was. Nothing is ever taken from the store, and the log
 * is dropped only once the store holds all of it, so an attempt that is cut short may be repeated.
 * Used once, by the starting thread; blocks for as long as the log takes to replay.
 */
public final class ForcedNewCluster {
  private static final Logger LOG = LoggerFactory.getLogger(ForcedNewCluster.class);

  private ForcedNewCluster() {}

  /**
   * Makes the change in the data directory.
   *
   * @param configured as the flags have them
   * @return the settings to start with; nothing if the directory holds no member
   * @throws IOException if the member runs, was removed, or its files can't be used
   */
  public static Optional<RaftMemberSettings> settle(RaftMemberSettings configured)
      throws IOException {
    Path directory = configured.dataDirectory().resolve("member");
    Optional<DirectoryOwner.Ids> owner = DirectoryOwner.read(directory);
    if (owner.isEmpty()) {
      return Optional.empty();
    }
    RaftMemberSettings settings = alone(configured, owner.get());
    // The store may be older than the log's first entry, which founds the cluster.
    Genesis genesis =
        MemberCore.genesis(DirectoryOwner.settings(directory, owner.get(), configured));
    Path raft = directory.resolve("raft");
    long cluster = settings.clusterId();
    try (LogAtRest log = LogAtRest.open(raft, cluster, settings.maxRequestBytes())) {
      Path received = raft.resolve(RatisNode.group(cluster).toString()).resolve("sm");
      AppliedPosition position =
          takeOver(
              log,
              settings,
              new Replica(
                  new StoreHome(
                      directory.resolve("kv"), received, settings.mvccLimits(), settings.name()),
                  genesis,
                  new SnapshotMetrics(new MetricRegistry())));
      log.replace(position, settings.memberId());
    }
    DirectoryOwner.mark(directory, settings);
    return Optional.of(settings);
  }

  /** The same member as the only founder, whatever its id was worked out from. */
  private static RaftMemberSettings alone(RaftMemberSettings configured, DirectoryOwner.Ids owner) {
    List<PeerMember> self =
        configured.founders().stream()
            .filter(founder -> founder.name().equals(configured.name()))
            .map(founder -> new PeerMember(owner.memberId(), founder.name(), founder.peerUrls()))
            .toList();
    return configured.as(owner.clusterId(), owner.memberId(), self);
  }

  /** Closes the replica. */
  private static AppliedPosition takeOver(
      LogAtRest log, RaftMemberSettings settings, Replica replica) throws IOException {
    try {
      AppliedPosition before = replica.applied();
      log.read(new Replay(replica));
      AppliedPosition last = replica.applied();
      List<Member> members = members(replica);
      Member self =
          Member.newBuilder()
              .setID(settings.memberId())
              .addAllPeerURLs(
                  settings.founders().get(0).peerUrls().stream().map(URI::toString).toList())
              .build();
      // Above the first position of a new store, so that nobody takes the one for the other.
      replica.standAlone(Math.max(1, last.term()), Math.max(1, last.index() + 1), self);
      LOG.warn(
          "{}: forced to be a new cluster of one; entries {} to {} of the log were applied,"
              + " members removed: {}",
          settings.name(),
          before.index() + 1,
          last.index(),
          members.stream()
              .map(Member::getID)
              .filter(id -> id != settings.memberId())
              .map(Long::toHexString)
              .collect(Collectors.joining(", ")));
      return replica.applied();
    } catch (IllegalStateException e) {
      throw new IOException(e.getMessage(), e);
    } finally {
      replica.close();
    }
  }

  private static List<Member> members(Replica replica) {
    try (ReadView view = replica.view()) {
      return MemberTable.members(view);
    }
  }

  /** Entries that the store has already are passed over by the replica. */
  private record Replay(Replica replica) implements LogAtRest.Reader {
    @Override
    public void commands(long term, long index, ByteString entry) {
      replica.apply(term, index, entry);
    }

    @Override
    public void other(long term, long index) {
      replica.advance(term, index);
    }
  }
}
