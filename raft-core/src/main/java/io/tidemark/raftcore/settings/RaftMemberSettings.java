package io.tidemark.raftcore.settings;

import io.tidemark.clusterconfig.tls.TlsSettings;
import io.tidemark.mvcc.MvccLimits;
import io.tidemark.watch.WatchLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything a member needs to start.
 *
 * @param clusterId id of the cluster
 * @param memberId id of this member
 * @param name name of this member
 * @param founders the members that the cluster began with; a member that isn't among them joins
 * @param clientUrls URLs that this member announces to clients
 * @param dataDirectory directory of this member alone
 * @param peerHost address that the peer port binds to
 * @param peerPort the peer port; 0 = any free one
 * @param peerTls TLS between members, all of them; null for plain text
 * @param electionTimeout how long a follower waits for the leader, at most
 * @param maxRequestBytes largest command accepted; every limit below follows from it
 * @param slowApply applying an entry for longer than this is logged
 * @param limits sizes of log and write path
 * @param mvccLimits sizes of the store
 * @param watchLimits sizes of the watch store
 * @param upkeep what a member does of its own accord
 */
public record RaftMemberSettings(
    long clusterId,
    long memberId,
    String name,
    List<PeerMember> founders,
    List<String> clientUrls,
    Path dataDirectory,
    String peerHost,
    int peerPort,
    @Nullable TlsSettings peerTls,
    Duration electionTimeout,
    int maxRequestBytes,
    Duration slowApply,
    RaftLimits limits,
    MvccLimits mvccLimits,
    WatchLimits watchLimits,
    UpkeepSettings upkeep) {
  public RaftMemberSettings {
    founders = List.copyOf(founders);
    clientUrls = List.copyOf(clientUrls);
  }

  /** Whether this member is a founder; any other one joins. */
  public boolean founds() {
    return founders.stream().anyMatch(founder -> founder.id() == memberId);
  }

  /** The same as another member, in a cluster that was founded by others. */
  public RaftMemberSettings as(long cluster, long member, List<PeerMember> began) {
    return new RaftMemberSettings(
        cluster,
        member,
        name,
        began,
        clientUrls,
        dataDirectory,
        peerHost,
        peerPort,
        peerTls,
        electionTimeout,
        maxRequestBytes,
        slowApply,
        limits,
        mvccLimits,
        watchLimits,
        upkeep);
  }

  /** Longest wait of a request: 5 s and two election timeouts. */
  public Duration requestTimeout() {
    return Duration.ofSeconds(5).plus(electionTimeout.multipliedBy(2));
  }
}
