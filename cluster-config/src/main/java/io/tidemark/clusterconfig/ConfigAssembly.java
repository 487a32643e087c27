package io.tidemark.clusterconfig;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Turns settings into records and has them checked. */
final class ConfigAssembly {
  private static final long DEFAULT_QUOTA_BYTES = 2_147_483_648L;
  private static final long STORE_MEMORY_LEAST = 16L * 1024 * 1024;
  private static final long MAX_UINT32 = 4_294_967_295L;

  /** A Raft entry and its gRPC frame must stay below 2 GiB with room for their envelopes. */
  private static final int MAX_REQUEST_BYTES = 1 << 30;

  private final Settings settings;

  private ConfigAssembly(Settings settings) {
    this.settings = settings;
  }

  static ConfigResult assemble(Settings settings) {
    MemberConfig config = new ConfigAssembly(settings).config();
    new ConfigChecks(settings, config).run();
    return settings.problems().isEmpty()
        ? new ConfigResult.Valid(config, settings.warnings())
        : new ConfigResult.Invalid(settings.problems(), settings.warnings());
  }

  private MemberConfig config() {
    String name = settings.text("name");
    MemberUrls urls =
        new MemberUrls(
            settings.urls("listen-client-urls"),
            settings.urls("listen-client-http-urls"),
            settings.urls("advertise-client-urls"),
            settings.urls("listen-peer-urls"),
            settings.urls("initial-advertise-peer-urls"),
            settings.urls("listen-metrics-urls"));
    Path given = settings.path("data-dir");
    return new MemberConfig(
        name,
        given == null ? Path.of(name + ".etcd") : given,
        urls,
        bootstrap(name, urls.advertisePeer()),
        raft(),
        limits(),
        compaction(),
        corruption(),
        new Keepalive(
            settings.duration("grpc-keepalive-min-time"),
            settings.duration("grpc-keepalive-interval"),
            settings.duration("grpc-keepalive-timeout")),
        security(),
        http(),
        logging());
  }

  private Logging logging() {
    List<String> outputs = settings.list("log-outputs");
    return new Logging(
        settings.choice("log-level", Logging.Level.class),
        settings.choice("log-format", Logging.Format.class),
        outputs,
        LogRotation.read(settings, outputs));
  }

  private Bootstrap bootstrap(String name, List<URI> advertisePeer) {
    Map<String, List<URI>> cluster = new LinkedHashMap<>();
    String text = settings.text("initial-cluster");
    if (text.isEmpty()) {
      cluster.put(name, advertisePeer);
    } else {
      List<String> found = new ArrayList<>();
      cluster.putAll(UrlList.parseCluster(text, found));
      found.forEach(problem -> settings.invalid("initial-cluster", problem));
    }
    return new Bootstrap(
        cluster,
        settings.choice("initial-cluster-state", Bootstrap.ClusterState.class),
        settings.text("initial-cluster-token"),
        settings.bool("strict-reconfig-check"),
        settings.bool("auto-promote-learners"),
        settings.bool("force-new-cluster"));
  }

  private RaftTiming raft() {
    return new RaftTiming(
        settings.intBetween("heartbeat-interval", 0, Integer.MAX_VALUE),
        settings.intBetween("election-timeout", 0, Integer.MAX_VALUE),
        settings.longBetween("snapshot-count", 0, Long.MAX_VALUE),
        settings.longBetween("snapshot-catchup-entries", 0, Long.MAX_VALUE),
        settings.bool("pre-vote"),
        settings.bool("unsafe-no-fsync"));
  }

  private MemberLimits limits() {
    long quota = settings.longBetween("quota-backend-bytes", Long.MIN_VALUE, Long.MAX_VALUE);
    return new MemberLimits(
        quota == 0 ? DEFAULT_QUOTA_BYTES : Math.max(quota, -1),
        settings.longBetween("store-memory-bytes", STORE_MEMORY_LEAST, Long.MAX_VALUE),
        settings.intBetween("max-txn-ops", 0, Integer.MAX_VALUE),
        settings.intBetween("max-request-bytes", 1, MAX_REQUEST_BYTES),
        settings.longBetween("max-concurrent-streams", 1, MAX_UINT32),
        settings.intBetween("max-learners", 0, Integer.MAX_VALUE),
        settings.duration("watch-progress-notify-interval"),
        settings.duration("warning-apply-duration"),
        settings.duration("warning-unary-request-duration"));
  }

  private AutoCompaction compaction() {
    AutoCompaction.Mode mode = settings.choice("auto-compaction-mode", AutoCompaction.Mode.class);
    String retention = settings.text("auto-compaction-retention");
    long revisions = 0;
    Duration period = Duration.ZERO;
    if (mode == AutoCompaction.Mode.REVISION) {
      revisions = settings.longBetween("auto-compaction-retention", 0, Long.MAX_VALUE);
    } else if (!retention.isEmpty()) {
      period = hoursOrDuration(retention);
    }
    return new AutoCompaction(mode, revisions, period);
  }

  private CorruptionCheck corruption() {
    Duration afterCompaction = settings.duration("compact-hash-check-time");
    FeatureGates gates = FeatureGates.read(settings);
    return new CorruptionCheck(
        gates.orFlag("initial-corrupt-check"),
        settings.duration("corrupt-check-time"),
        gates.orFlag("compact-hash-check-enabled") ? afterCompaction : Duration.ZERO);
  }

  private Duration hoursOrDuration(String retention) {
    Optional<Duration> period =
        retention.matches("\\d{1,6}")
            ? Optional.of(Duration.ofHours(Long.parseLong(retention)))
            : GoDuration.parse(retention);
    if (period.isEmpty() || period.get().isNegative()) {
      settings.invalid("auto-compaction-retention", "neither hours nor a duration");
    }
    return period.orElse(Duration.ZERO);
  }

  private Security security() {
    return new Security(
        tls("", "client-"),
        tls("peer-", "peer-"),
        settings.list("cipher-suites"),
        settings.text("tls-min-version"),
        settings.text("tls-max-version"),
        settings.intBetween("self-signed-cert-validity", 1, 1000),
        settings.text("auth-token"),
        Duration.ofSeconds(settings.longBetween("auth-token-ttl", 1, Integer.MAX_VALUE)),
        settings.intBetween("bcrypt-cost", 4, 31));
  }

  /** The client side spells some of its flags without a prefix, some with {@code client-}. */
  private TlsFiles tls(String prefix, String side) {
    return new TlsFiles(
        settings.path(prefix + "cert-file"),
        settings.path(prefix + "key-file"),
        settings.path(prefix + "client-cert-file"),
        settings.path(prefix + "client-key-file"),
        settings.path(prefix + "trusted-ca-file"),
        settings.bool(prefix + "client-cert-auth"),
        settings.bool(prefix + "auto-tls") && settings.path(prefix + "cert-file") == null,
        settings.path(side + "crl-file"),
        settings.list(side + "cert-allowed-cn"),
        settings.list(side + "cert-allowed-hostname"),
        settings.bool(side + "skip-client-san-verification"));
  }

  private HttpOptions http() {
    String metrics = settings.text("metrics");
    if (!metrics.equals("basic") && !metrics.equals("extensive")) {
      settings.invalid("metrics", "must be one of basic, extensive");
    }
    return new HttpOptions(
        settings.list("cors"),
        settings.list("host-whitelist"),
        settings.bool("enable-grpc-gateway"),
        settings.bool("enable-pprof"),
        metrics.equals("extensive"));
  }
}
