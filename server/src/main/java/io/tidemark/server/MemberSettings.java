package io.tidemark.server;

import io.tidemark.clusterconfig.HostPort;
import io.tidemark.clusterconfig.MemberConfig;
import io.tidemark.clusterconfig.MemberIds;
import io.tidemark.clusterconfig.TlsFiles;
import io.tidemark.clusterconfig.tls.TlsSettings;
import io.tidemark.mvcc.MvccLimits;
import io.tidemark.raftcore.settings.PeerMember;
import io.tidemark.raftcore.settings.RaftLimits;
import io.tidemark.raftcore.settings.RaftMemberSettings;
import io.tidemark.raftcore.settings.UpkeepSettings;
import io.tidemark.server.auth.Login;
import io.tidemark.server.edge.EdgeLimits;
import io.tidemark.server.edge.EdgeSettings;
import io.tidemark.server.edge.HttpAccess;
import io.tidemark.server.selfsigned.SelfSigned;
import io.tidemark.watch.WatchLimits;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the parts of a member are told, out of its one configuration. Pure. */
final class MemberSettings {
  /** etcd's allowance for what gRPC puts around a request. */
  static final int MESSAGE_OVERHEAD_BYTES = 512 * 1024;

  private MemberSettings() {}

  static RaftMemberSettings raft(MemberConfig config) {
    String token = config.bootstrap().token();
    List<PeerMember> founders = new ArrayList<>();
    config
        .bootstrap()
        .initialCluster()
        .forEach(
            (name, urls) ->
                founders.add(
                    new PeerMember(
                        MemberIds.memberId(urls, token, OptionalLong.empty()), name, urls)));
    PeerMember self =
        founders.stream()
            .filter(founder -> founder.name().equals(config.name()))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "initial-cluster does not name this member: " + config.name()));
    HostPort peer = peerAddress(config);
    return new RaftMemberSettings(
        MemberIds.clusterId(founders.stream().map(PeerMember::id).toList()),
        self.id(),
        config.name(),
        founders,
        config.urls().advertiseClient().stream().map(URI::toString).toList(),
        config.dataDir(),
        peer.host(),
        peer.port(),
        peerTls(config),
        Duration.ofMillis(config.raft().electionMillis()),
        config.limits().maxRequestBytes(),
        config.limits().warningApply(),
        RaftLimits.defaults(config.limits().maxRequestBytes())
            .withSnapshotEntries(config.raft().snapshotCount()),
        MvccLimits.defaults().withMemoryBytes(config.limits().storeMemoryBytes()),
        WatchLimits.defaults()
            .withFragmentBytes(messageBytesMax(config))
            .withProgressInterval(config.limits().watchProgressInterval()),
        new UpkeepSettings(
            config.compaction().retentionPeriod(),
            config.compaction().retentionRevisions(),
            config.corruption().afterCompaction(),
            config.corruption().period(),
            config.bootstrap().autoPromoteLearners()));
  }

  static EdgeSettings edge(MemberConfig config) {
    return new EdgeSettings(
        config.name(),
        config.urls().listenClient(),
        config.urls().listenClientHttp(),
        tls(config.security().client(), clientFixtures(config), config),
        messageBytesMax(config),
        (int) Math.min(Integer.MAX_VALUE, config.limits().maxConcurrentStreams()),
        new EdgeSettings.Keepalive(
            config.keepalive().minTime(),
            config.keepalive().interval(),
            config.keepalive().timeout()),
        EdgeSettings.Timings.defaults(),
        EdgeLimits.ofProcess(messageBytesMax(config)),
        HttpAccess.of(config.http().cors(), config.http().hostWhitelist()));
  }

  static Login.Choice login(MemberConfig config) {
    return new Login.Choice(
        config.security().authToken(),
        config.security().authTokenTtl(),
        config.security().bcryptCost(),
        config.security().client().clientCertAuth());
  }

  static int messageBytesMax(MemberConfig config) {
    return (int)
        Math.min(
            Integer.MAX_VALUE, (long) config.limits().maxRequestBytes() + MESSAGE_OVERHEAD_BYTES);
  }

  private static @Nullable TlsSettings tls(TlsFiles files, Path own, MemberConfig config) {
    if (!files.enabled()) {
      return null;
    }
    TlsFiles shown =
        files.autoTls() ? files.showing(SelfSigned.certificate(own), SelfSigned.key(own)) : files;
    return TlsSettings.of(shown, config.security());
  }

  /** Where a self-signed certificate for clients stands. */
  static Path clientFixtures(MemberConfig config) {
    return config.dataDir().resolve("fixtures/client");
  }

  /** Where a self-signed certificate for members stands. */
  static Path peerFixtures(MemberConfig config) {
    return config.dataDir().resolve("fixtures/peer");
  }

  /**
   * Members have one way of talking, and so all their URLs the same scheme.
   *
   * @throws IllegalArgumentException when they don't
   */
  private static @Nullable TlsSettings peerTls(MemberConfig config) {
    String scheme = config.urls().listenPeer().get(0).getScheme();
    Stream.of(
            config.urls().listenPeer(),
            config.urls().advertisePeer(),
            config.bootstrap().initialCluster().values().stream().flatMap(List::stream).toList())
        .flatMap(List::stream)
        .filter(url -> !scheme.equals(url.getScheme()))
        .findFirst()
        .ifPresent(
            url -> {
              throw new IllegalArgumentException(
                  "peer URLs must be all http or all https: "
                      + config.urls().listenPeer().get(0)
                      + ", "
                      + url);
            });
    return "https".equals(scheme)
        ? tls(config.security().peer(), peerFixtures(config), config)
        : null;
  }

  private static HostPort peerAddress(MemberConfig config) {
    return HostPort.of(config.urls().listenPeer().get(0));
  }
}
