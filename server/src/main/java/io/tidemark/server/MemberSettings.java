package io.tidemark.server;

import io.tidemark.clusterconfig.HostPort;
import io.tidemark.clusterconfig.MemberConfig;
import io.tidemark.clusterconfig.MemberIds;
import io.tidemark.mvcc.MvccLimits;
import io.tidemark.raftcore.settings.PeerMember;
import io.tidemark.raftcore.settings.RaftLimits;
import io.tidemark.raftcore.settings.RaftMemberSettings;
import io.tidemark.server.auth.Login;
import io.tidemark.server.edge.EdgeSettings;
import io.tidemark.server.edge.TlsFiles;
import io.tidemark.watch.WatchLimits;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
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
        Duration.ofMillis(config.raft().electionMillis()),
        config.limits().maxRequestBytes(),
        RaftLimits.defaults(config.limits().maxRequestBytes())
            .withSnapshotEntries(config.raft().snapshotCount()),
        MvccLimits.defaults().withMemoryBytes(config.limits().storeMemoryBytes()),
        WatchLimits.defaults()
            .withFragmentBytes(messageBytesMax(config))
            .withProgressInterval(config.limits().watchProgressInterval()));
  }

  static EdgeSettings edge(MemberConfig config) {
    return new EdgeSettings(
        config.name(),
        config.urls().listenClient(),
        clientTls(config),
        messageBytesMax(config),
        (int) Math.min(Integer.MAX_VALUE, config.limits().maxConcurrentStreams()),
        new EdgeSettings.Keepalive(
            config.keepalive().minTime(),
            config.keepalive().interval(),
            config.keepalive().timeout()),
        EdgeSettings.Timings.defaults());
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

  private static @Nullable TlsFiles clientTls(MemberConfig config) {
    io.tidemark.clusterconfig.TlsFiles files = config.security().client();
    if (files.certFile() == null) {
      return null;
    }
    return new TlsFiles(
        files.certFile(),
        Objects.requireNonNull(files.keyFile(), "key-file"),
        files.trustedCaFile(),
        protocols(config.security().tlsMinVersion(), config.security().tlsMaxVersion()),
        config.security().cipherSuites());
  }

  /** Checked before: the least is no higher than the highest, which may be open. */
  private static List<String> protocols(String least, String highest) {
    List<String> protocols = new ArrayList<>();
    for (String version : List.of("TLS1.3", "TLS1.2")) {
      boolean low = version.compareTo(least) < 0;
      boolean high = !highest.isEmpty() && version.compareTo(highest) > 0;
      if (!low && !high) {
        protocols.add(version.replace("TLS", "TLSv"));
      }
    }
    return protocols;
  }

  private static HostPort peerAddress(MemberConfig config) {
    URI url = config.urls().listenPeer().get(0);
    if (!"http".equals(url.getScheme())) {
      throw new IllegalArgumentException(
          "peers talk over plain http only: listen-peer-urls " + url);
    }
    return HostPort.of(url);
  }
}
