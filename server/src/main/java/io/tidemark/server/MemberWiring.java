package io.tidemark.server;

import com.codahale.metrics.MetricRegistry;
import io.tidemark.clusterconfig.Bootstrap;
import io.tidemark.clusterconfig.HostPort;
import io.tidemark.clusterconfig.Logging;
import io.tidemark.clusterconfig.MemberConfig;
import io.tidemark.raftcore.Arrival;
import io.tidemark.raftcore.ForcedNewCluster;
import io.tidemark.raftcore.RaftMember;
import io.tidemark.raftcore.settings.RaftMemberSettings;
import io.tidemark.raftcore.settings.Surroundings;
import io.tidemark.server.access.Gate;
import io.tidemark.server.access.Guard;
import io.tidemark.server.access.Headers;
import io.tidemark.server.access.LeaderLoss;
import io.tidemark.server.access.LearnerLimits;
import io.tidemark.server.access.Quota;
import io.tidemark.server.access.ReadLanes;
import io.tidemark.server.access.Reads;
import io.tidemark.server.access.Replica;
import io.tidemark.server.access.ReplyBudget;
import io.tidemark.server.access.Writes;
import io.tidemark.server.auth.AuthService;
import io.tidemark.server.auth.Login;
import io.tidemark.server.cluster.ClusterService;
import io.tidemark.server.concurrency.ConcurrencyServices;
import io.tidemark.server.console.ConsolePages;
import io.tidemark.server.console.ConsoleService;
import io.tidemark.server.edge.Edge;
import io.tidemark.server.edge.EdgeSettings;
import io.tidemark.server.gateway.Gateway;
import io.tidemark.server.health.HealthService;
import io.tidemark.server.health.Serving;
import io.tidemark.server.http.DebugPages;
import io.tidemark.server.http.HealthPages;
import io.tidemark.server.http.MetricsPage;
import io.tidemark.server.http.Pages;
import io.tidemark.server.http.StatusPage;
import io.tidemark.server.http.VersionPage;
import io.tidemark.server.kv.KvService;
import io.tidemark.server.lease.LeaseGrants;
import io.tidemark.server.lease.LeaseService;
import io.tidemark.server.maintenance.Backups;
import io.tidemark.server.maintenance.Downgrades;
import io.tidemark.server.maintenance.MaintenanceService;
import io.tidemark.server.metrics.Families;
import io.tidemark.server.metrics.ProcessFigures;
import io.tidemark.server.rpc.CallTallies;
import io.tidemark.server.rpc.Methods;
import io.tidemark.server.rpc.SlowCalls;
import io.tidemark.server.selfsigned.SelfSigned;
import io.tidemark.server.watch.WatchService;
import io.tidemark.statemachine.request.RequestChecks;
import io.tidemark.statemachine.request.RequestLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Builds the object graph of one member. Used once, by one thread. */
final class MemberWiring {
  private static final Logger LOG = LoggerFactory.getLogger(MemberWiring.class);
  private static final Duration STOP_BUDGET = Duration.ofSeconds(2);

  private final MemberConfig config;
  private final TidemarkVersion version;
  private final Surroundings surroundings;
  private final RaftMemberSettings settings;
  private final EdgeSettings edgeSettings;
  private final Closing closing = new Closing();
  private @Nullable Edge edge;

  /** Blocks for some seconds at most, on asking the other members. */
  MemberWiring(MemberConfig config, TidemarkVersion version, Surroundings surroundings)
      throws IOException {
    this.config = config;
    this.version = version;
    this.surroundings = surroundings;
    signCertificates();
    this.settings = settle();
    this.edgeSettings = MemberSettings.edge(config);
  }

  private RaftMemberSettings settle() throws IOException {
    RaftMemberSettings configured = MemberSettings.raft(config);
    if (config.bootstrap().forceNewCluster()) {
      Optional<RaftMemberSettings> alone = ForcedNewCluster.settle(configured);
      if (alone.isPresent()) {
        return alone.get();
      }
      LOG.warn(
          "--force-new-cluster has nothing to do: {} holds no member", configured.dataDirectory());
    }
    boolean joins = config.bootstrap().state() == Bootstrap.ClusterState.EXISTING;
    return Arrival.settle(configured, joins, surroundings.routes());
  }

  private void signCertificates() throws IOException {
    int years = config.security().selfSignedYears();
    if (config.security().client().autoTls()) {
      SelfSigned.provide(
          MemberSettings.clientFixtures(config),
          hosts(config.urls().listenClient(), config.urls().listenClientHttp()),
          years);
    }
    if (config.security().peer().autoTls()) {
      SelfSigned.provide(
          MemberSettings.peerFixtures(config), hosts(config.urls().listenPeer(), List.of()), years);
    }
  }

  private static List<String> hosts(List<URI> urls, List<URI> more) {
    return Stream.concat(urls.stream(), more.stream())
        .map(url -> HostPort.of(url).host())
        .distinct()
        .toList();
  }

  /** Starts everything; on failure nothing is left open. */
  Member start(Ending ending) throws IOException {
    try {
      return build(ending);
    } catch (UncheckedIOException e) {
      closing.run();
      throw new IOException(e.getMessage(), e.getCause());
    } catch (IOException | RuntimeException e) {
      closing.run();
      throw e;
    }
  }

  private Member build(Ending ending) throws IOException {
    MetricRegistry metrics = new MetricRegistry();
    Serving serving = new Serving();
    ReadLanes lanes = new ReadLanes(config.name());
    closing.add("read threads", lanes);
    // Closed after the replica, so that the last writes are still answered.
    closing.add("client port", this::closeEdge);
    RaftMember raft = RaftMember.start(settings, surroundings, ending, metrics);
    closing.add("replica", () -> raft.stop(STOP_BUDGET));
    if (config.corruption().atStart()) {
      requireSameData(raft);
    }
    Replica replica = new RaftReplica(raft);
    Login login = Login.open(config.name(), MemberSettings.login(config), replica);
    closing.add("password threads", login);
    Gate gate = new Gate(raft::hasLeader);
    Guard guard = new Guard(gate, login.identities(), replica);
    Reads reads = new Reads(replica, guard, new ReplyBudget(Edge.bufferBytesMax() / 4), metrics);
    Headers headers = new Headers(settings.clusterId(), settings.memberId(), raft::term);
    Writes writes = new Writes(replica, guard, headers);
    SlowCalls slow = new SlowCalls(config.limits().warningUnary(), config.limits().warningApply());
    Methods methods = services(replica, guard, reads, writes, lanes, headers, metrics, slow);
    new AuthService(guard, reads, writes, lanes, headers, login).register(methods);
    new HealthService(serving).register(methods);
    Pages probes =
        probes(
            metrics, replica, new RaftGauges(raft, slow), new Probes(replica, gate, reads, lanes));
    Edge opened = Edge.open(edgeSettings, methods, pages(probes, replica, gate, methods, lanes));
    edge = opened;
    openMetricsPort(probes);
    closing.add("accepting", opened::drain);
    return new Member(config.name(), raft, reads, opened, metrics, serving, closing, ending);
  }

  /** Nobody is served what the others would contradict. Blocks for as long as hashing takes. */
  private static void requireSameData(RaftMember raft) throws IOException {
    try {
      List<Long> differing = raft.differingMembers().get();
      if (!differing.isEmpty()) {
        throw new IOException(
            "found data inconsistency with peers: "
                + differing.stream().map(Long::toHexString).collect(Collectors.joining(", ")));
      }
    } catch (ExecutionException e) {
      throw new IOException("cannot compare data with peers", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while data was compared with peers", e);
    }
  }

  private Methods services(
      Replica replica,
      Guard guard,
      Reads reads,
      Writes writes,
      ReadLanes lanes,
      Headers headers,
      MetricRegistry metrics,
      SlowCalls slow) {
    Methods methods =
        new Methods(
            edgeSettings.messageBytesMax(),
            new LearnerLimits(replica::isLearner),
            new CallTallies(metrics, config.http().extensiveMetrics()),
            slow);
    int requestBytesMax = config.limits().maxRequestBytes();
    RequestChecks checks =
        new RequestChecks(new RequestLimits(config.limits().maxTxnOps(), requestBytesMax));
    Quota quota = new Quota(replica, config.limits().quotaBackendBytes(), settings.memberId());
    new KvService(guard, quota, checks, reads, writes, lanes, headers, requestBytesMax)
        .register(methods);
    LeaderLoss leaderLoss = new LeaderLoss(config.name(), guard.gate(), settings.electionTimeout());
    closing.add("leader checks", leaderLoss);
    WatchService watch = new WatchService(replica, guard, leaderLoss, methods, headers);
    closing.add("watch streams", watch);
    watch.register();
    LeaseGrants grants = new LeaseGrants(settings.electionTimeout());
    LeaseService leases =
        new LeaseService(
            new LeaseService.Access(guard, leaderLoss, replica, reads, writes, lanes, headers),
            quota,
            grants);
    closing.add("keep-alive streams", leases);
    leases.register(methods);
    new ConcurrencyServices(guard, leaderLoss, replica, reads, lanes, headers, grants)
        .register(methods);
    ClusterService.Rules rules =
        new ClusterService.Rules(
            config.bootstrap().token(),
            config.bootstrap().strictReconfigCheck(),
            config.limits().maxLearners());
    new ClusterService(guard, reads, writes, lanes, headers, rules).register(methods);
    MaintenanceService.About about =
        new MaintenanceService.About(
            version.server(), version.cluster(), config.limits().quotaBackendBytes());
    new MaintenanceService(guard, replica, reads, writes, lanes, headers, about).register(methods);
    new ConsoleService(guard, replica, reads, lanes, headers).register(methods);
    new Downgrades(guard, replica, writes, headers, version.cluster()).register(methods);
    Backups backups = new Backups(config.name(), guard, replica, version.cluster(), metrics);
    closing.add("backups", backups);
    backups.register(methods);
    return methods;
  }

  /** Addresses for those who only look after members; they reach no data. */
  private void openMetricsPort(Pages probes) throws IOException {
    List<URI> urls = config.urls().listenMetrics();
    if (!urls.isEmpty()) {
      Methods none = new Methods(edgeSettings.messageBytesMax());
      closing.add("metrics port", Edge.open(edgeSettings.pagesOn(urls), none, probes));
    }
  }

  /** What probes and dashboards ask for. */
  private Pages probes(
      MetricRegistry metrics, Replica replica, RaftGauges raftGauges, Probes probes) {
    Pages pages = new Pages();
    new HealthPages(probes, metrics).register(pages);
    MemberGauges gauges = new MemberGauges(replica, version, config.limits().quotaBackendBytes());
    Consumer<Families> figures =
        families -> {
          gauges.addTo(families);
          raftGauges.addTo(families);
          ProcessFigures.add(families);
        };
    return pages.addGet("/metrics", new MetricsPage(metrics, figures));
  }

  private Pages pages(Pages probes, Replica replica, Gate gate, Methods methods, ReadLanes lanes) {
    Pages pages = new Pages().add("/", probes);
    if (config.http().gateway()) {
      new Gateway(methods, lanes.scans()).register(pages);
      new ConsolePages().register(pages);
    }
    if (config.http().pprof() || config.logging().level() == Logging.Level.DEBUG) {
      DebugPages debugging = new DebugPages(config.name());
      closing.add("debugging pages", debugging);
      debugging.register(pages);
      LOG.info("profiles are served at /debug/pprof/");
    }
    return pages
        .addGet("/version", new VersionPage(version.server(), version.cluster(), gate::hasLeader))
        .addGet("/tidemark/status", new StatusPage(replica::status));
  }

  private void closeEdge() {
    if (edge != null) {
      edge.close();
    }
  }
}
