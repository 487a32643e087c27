package io.tidemark.clusterconfig;

import io.tidemark.clusterconfig.Flag.Kind;
import io.tidemark.clusterconfig.Flag.Standing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All flags by name, in the order of the help text. Immutable. */
final class FlagTable {
  static final FlagTable INSTANCE = new FlagTable();

  private static final String OLD_PREFIX = "experimental-";

  private final Map<String, Flag> flags = new LinkedHashMap<>();

  private FlagTable() {
    member();
    addresses();
    bootstrap();
    log();
    limits();
    clientSecurity();
    peerSecurity();
    serving();
    watchfulness();
    elsewhere();
  }

  List<Flag> all() {
    return new ArrayList<>(flags.values());
  }

  /** The flag, also under its former name with {@code experimental-} in front; null if unknown. */
  @Nullable Flag find(String name) {
    Flag flag = flags.get(name);
    if (flag == null && name.startsWith(OLD_PREFIX)) {
      return flags.get(name.substring(OLD_PREFIX.length()));
    }
    return flag;
  }

  private void member() {
    text("name", "default", "Name of this member; an entry of --initial-cluster.");
    text("data-dir", "", "Directory of this member's data (default: NAME.etcd).");
    pending("wal-dir", Kind.TEXT, "", "Directory of the log, if not the data directory.");
    text("config-file", "", "YAML file with all settings; other flags are then ignored.");
  }

  private void addresses() {
    honoured("listen-client-urls", Kind.URLS, "http://localhost:2379", "Where clients connect.");
    honoured("listen-client-http-urls", Kind.URLS, "", "Where HTTP alone is served, if apart.");
    honoured(
        "advertise-client-urls",
        Kind.URLS,
        "http://localhost:2379",
        "Client URLs told to others; required with --listen-client-urls.");
    honoured("listen-peer-urls", Kind.URLS, "http://localhost:2380", "Where members connect.");
    honoured(
        "initial-advertise-peer-urls",
        Kind.URLS,
        "http://localhost:2380",
        "Peer URLs told to others.");
    honoured("listen-metrics-urls", Kind.URLS, "", "Extra addresses of /metrics and /health.");
  }

  private void bootstrap() {
    text("initial-cluster", "", "Founders: NAME=URL,NAME=URL (default: this member alone).");
    honoured(
        "initial-cluster-state",
        Kind.TEXT,
        "new",
        "'new' to found a cluster, 'existing' to join one.");
    text("initial-cluster-token", "etcd-cluster", "Keeps clusters with equal URLs apart.");
    honoured(
        "strict-reconfig-check",
        Kind.BOOL,
        "true",
        "Refuse membership changes that would lose the quorum.");
    bool(
        "auto-promote-learners",
        false,
        "Give a learner its vote once it has caught up, while this member leads; not a flag of"
            + " etcd's.");
    bool(
        "force-new-cluster",
        false,
        "Make this member a cluster of one, with its data; the others count as removed.");
    for (String name : List.of("discovery-srv", "discovery-srv-name", "discovery-token")) {
      refused(name, Kind.TEXT, "", "Discovery of the founders.");
    }
    refused("discovery-endpoints", Kind.LIST, "", "Discovery of the founders.");
    refused("discovery-dial-timeout", Kind.DURATION, "2s", "Discovery of the founders.");
    refused("discovery-request-timeout", Kind.DURATION, "5s", "Discovery of the founders.");
    refused("discovery-keepalive-time", Kind.DURATION, "2s", "Discovery of the founders.");
    refused("discovery-keepalive-timeout", Kind.DURATION, "6s", "Discovery of the founders.");
    refused("discovery-insecure-transport", Kind.BOOL, "true", "Discovery of the founders.");
    refused("discovery-insecure-skip-tls-verify", Kind.BOOL, "false", "Discovery.");
    for (String name : List.of("cert", "key", "cacert", "user", "password")) {
      refused("discovery-" + name, Kind.TEXT, "", "Discovery of the founders.");
    }
  }

  private void log() {
    count("heartbeat-interval", "100", "Milliseconds between heartbeats.");
    count("election-timeout", "1000", "Milliseconds without a leader before an election.");
    foreign("initial-election-tick-advance", Kind.BOOL, "true");
    bool("pre-vote", true, "Ask for votes before raising the term.");
    count("snapshot-count", "10000", "Applied entries after which a snapshot is due.");
    foreign("snapshot-catchup-entries", Kind.COUNT, "5000");
    pending("unsafe-no-fsync", Kind.BOOL, "false", "Leave out fsync: loses data.");
    text("auto-compaction-mode", "periodic", "'periodic' or 'revision'.");
    text("auto-compaction-retention", "0", "Hours or duration kept, or revisions kept; 0 is off.");
    foreign("compaction-batch-limit", Kind.COUNT, "1000");
    foreign("compaction-sleep-interval", Kind.DURATION, "10ms");
    foreign("max-wals", Kind.COUNT, "5");
    foreign("max-snapshots", Kind.COUNT, "5");
    foreign("backend-batch-interval", Kind.DURATION, "0s");
    foreign("backend-batch-limit", Kind.NUMBER, "0");
    foreign("backend-bbolt-freelist-type", Kind.TEXT, "map");
    foreign("bootstrap-defrag-threshold-megabytes", Kind.COUNT, "0");
    foreign("memory-mlock", Kind.BOOL, "false");
    foreign("logger", Kind.TEXT, "zap");
  }

  private void limits() {
    honoured("quota-backend-bytes", Kind.NUMBER, "0", "Storage quota; 0 is 2 GiB, -1 is none.");
    count(
        "store-memory-bytes",
        "134217728",
        "Memory of the store for caches and what isn't written out yet; not a flag of etcd's.");
    count("max-txn-ops", "128", "Operations in one list of a transaction.");
    count("max-request-bytes", "1572864", "Size of one write request.");
    count("max-concurrent-streams", "4294967295", "Streams of one client connection.");
    honoured("max-learners", Kind.NUMBER, "1", "Non-voting members at a time.");
    honoured("grpc-keepalive-min-time", Kind.DURATION, "5s", "Least pause between pings.");
    honoured("grpc-keepalive-interval", Kind.DURATION, "2h", "Pause before the server pings.");
    honoured("grpc-keepalive-timeout", Kind.DURATION, "20s", "Time to answer a ping.");
    foreign("socket-reuse-port", Kind.BOOL, "false");
    foreign("socket-reuse-address", Kind.BOOL, "false");
  }

  private void clientSecurity() {
    text("cert-file", "", "Server certificate for clients.");
    text("key-file", "", "Its key.");
    // A member opens no connection to itself.
    foreign("client-cert-file", Kind.TEXT, "");
    foreign("client-key-file", Kind.TEXT, "");
    bool("client-cert-auth", false, "Demand client certificates.");
    text("trusted-ca-file", "", "Authorities for client certificates.");
    honoured("auto-tls", Kind.BOOL, "false", "Self-signed certificate for clients.");
    honoured("client-crl-file", Kind.TEXT, "", "Revoked client certificates.");
    honoured("client-cert-allowed-hostname", Kind.LIST, "", "Accepted host names.");
    honoured("client-cert-allowed-cn", Kind.LIST, "", "Accepted common names.");
    foreign("client-skip-client-san-verification", Kind.BOOL, "false");
    honoured("cipher-suites", Kind.LIST, "", "Suites of TLS 1.2, comma-separated.");
    text("tls-min-version", "TLS1.2", "Least TLS version.");
    text("tls-max-version", "", "Highest TLS version.");
    count("self-signed-cert-validity", "1", "Years.");
    text("auth-token", "simple", "'simple' or 'jwt,...'.");
    count("auth-token-ttl", "300", "Life of a simple token in seconds.");
    count("bcrypt-cost", "10", "Work factor of password hashes.");
  }

  private void peerSecurity() {
    honoured("peer-cert-file", Kind.TEXT, "", "Certificate for members.");
    honoured("peer-key-file", Kind.TEXT, "", "Its key.");
    honoured("peer-client-cert-file", Kind.TEXT, "", "Certificate for dialling members.");
    honoured("peer-client-key-file", Kind.TEXT, "", "Its key.");
    honoured("peer-client-cert-auth", Kind.BOOL, "false", "Demand certificates of members.");
    honoured("peer-trusted-ca-file", Kind.TEXT, "", "Authorities for members.");
    honoured("peer-auto-tls", Kind.BOOL, "false", "Self-signed certificate for members.");
    honoured("peer-crl-file", Kind.TEXT, "", "Revoked certificates of members.");
    honoured("peer-cert-allowed-cn", Kind.LIST, "", "Accepted common names.");
    honoured("peer-cert-allowed-hostname", Kind.LIST, "", "Accepted host names.");
    foreign("peer-skip-client-san-verification", Kind.BOOL, "false");
  }

  private void serving() {
    honoured("cors", Kind.LIST, "*", "Allowed origins.");
    honoured("host-whitelist", Kind.LIST, "*", "Accepted Host headers on plain HTTP.");
    honoured("enable-grpc-gateway", Kind.BOOL, "true", "Serve the JSON gateway.");
    bool("enable-pprof", false, "Serve /debug/pprof/: threads, heap, profile; anybody may ask.");
    honoured("metrics", Kind.TEXT, "basic", "'basic', or 'extensive' for gRPC histograms too.");
    text("log-level", "info", "debug, info, warn, error, panic or fatal.");
    text("log-format", "json", "'json' or 'console'.");
    honoured("log-outputs", Kind.LIST, "default", "stdout, stderr or files.");
    bool("enable-log-rotation", false, "Rotate the one file of --log-outputs.");
    text(
        "log-rotation-config-json",
        "{\"maxsize\": 100, \"maxage\": 0, \"maxbackups\": 0, \"localtime\": false,"
            + " \"compress\": false}",
        "Size in MiB; days and number of old files, 0 for all.");
  }

  private void watchfulness() {
    honoured("watch-progress-notify-interval", Kind.DURATION, "10m", "Pause between notices.");
    honoured("warning-apply-duration", Kind.DURATION, "100ms", "Slow apply is logged.");
    honoured("warning-unary-request-duration", Kind.DURATION, "300ms", "Slow calls are logged.");
    honoured("corrupt-check-time", Kind.DURATION, "0s", "Pause between comparisons of members.");
    bool("initial-corrupt-check", false, "Compare with the other members at start.");
    bool("compact-hash-check-enabled", true, "Compare members after compactions.");
    honoured("compact-hash-check-time", Kind.DURATION, "1m", "Pause between looks for one.");
    foreign("downgrade-check-time", Kind.DURATION, "5s");
    honoured("feature-gates", Kind.LIST, "", "InitialCorruptCheck, CompactHashCheck; others warn.");
  }

  private void elsewhere() {
    pending("enable-distributed-tracing", Kind.BOOL, "false", "Tracing.");
    pending("distributed-tracing-address", Kind.TEXT, "localhost:4317", "Tracing.");
    pending("distributed-tracing-service-name", Kind.TEXT, "etcd", "Tracing.");
    pending("distributed-tracing-instance-id", Kind.TEXT, "", "Tracing.");
    pending("distributed-tracing-sampling-rate", Kind.COUNT, "0", "Tracing.");
  }

  private void text(String name, String defaultValue, String help) {
    honoured(name, Kind.TEXT, defaultValue, help);
  }

  private void bool(String name, boolean defaultValue, String help) {
    honoured(name, Kind.BOOL, Boolean.toString(defaultValue), help);
  }

  private void count(String name, String defaultValue, String help) {
    honoured(name, Kind.COUNT, defaultValue, help);
  }

  private void honoured(String name, Kind kind, String defaultValue, String help) {
    flags.put(name, new Flag(name, kind, defaultValue, Standing.HONOURED, help));
  }

  private void pending(String name, Kind kind, String defaultValue, String help) {
    flags.put(name, new Flag(name, kind, defaultValue, Standing.PENDING, help));
  }

  private void refused(String name, Kind kind, String defaultValue, String help) {
    flags.put(name, new Flag(name, kind, defaultValue, Standing.REFUSED, help));
  }

  private void foreign(String name, Kind kind, String defaultValue) {
    flags.put(name, new Flag(name, kind, defaultValue, Standing.FOREIGN, "Accepted, no effect."));
  }
}
