package io.tidemark.clusterconfig;

import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Rules that span several settings. Adds to the problems and warnings of {@link Settings}. */
final class ConfigChecks {
  private static final int MAX_ELECTION_MILLIS = 50_000;
  private static final Set<String> TLS_VERSIONS = Set.of("TLS1.2", "TLS1.3");

  private final Settings settings;
  private final MemberConfig config;

  ConfigChecks(Settings settings, MemberConfig config) {
    this.settings = settings;
    this.config = config;
  }

  void run() {
    checkTiming();
    checkUrls();
    checkCluster();
    checkBootstrapMethod();
    checkTls();
  }

  private void checkTiming() {
    int heartbeat = config.raft().heartbeatMillis();
    int election = config.raft().electionMillis();
    if (heartbeat <= 0) {
      settings.problem("--heartbeat-interval must be >0 (set to " + heartbeat + "ms)");
    }
    if (election <= 0) {
      settings.problem("--election-timeout must be >0 (set to " + election + "ms)");
    }
    if (5L * heartbeat > election) {
      settings.problem(
          "--election-timeout["
              + election
              + "ms] should be at least as 5 times as --heartbeat-interval["
              + heartbeat
              + "ms]");
    }
    if (election > MAX_ELECTION_MILLIS) {
      settings.problem(
          "--election-timeout["
              + election
              + "ms] is too long, and should be set less than "
              + MAX_ELECTION_MILLIS
              + "ms");
    }
  }

  private void checkUrls() {
    MemberUrls urls = config.urls();
    bindable("listen-client-urls", urls.listenClient());
    bindable("listen-client-http-urls", urls.listenClientHttp());
    bindable("listen-peer-urls", urls.listenPeer());
    bindable("listen-metrics-urls", urls.listenMetrics());
    named("advertise-client-urls", urls.advertiseClient());
    named("initial-advertise-peer-urls", urls.advertisePeer());
    required("listen-client-urls");
    required("listen-peer-urls");
    required("initial-advertise-peer-urls");
    boolean advertised = !urls.advertiseClient().isEmpty();
    if (settings.isSet("listen-client-urls")
        && (!settings.isSet("advertise-client-urls") || !advertised)) {
      settings.problem(
          "--advertise-client-urls is required when --listen-client-urls is set explicitly");
    }
  }

  private void bindable(String flag, List<URI> urls) {
    for (URI url : urls) {
      if (!UrlList.isBindable(url)) {
        settings.invalid(flag, "expected IP in URL for binding (" + url + ")");
      }
    }
  }

  private void named(String flag, List<URI> urls) {
    for (URI url : urls) {
      if (!UrlList.isUnix(url) && HostPort.of(url).host().isEmpty()) {
        settings.invalid(flag, "unexpected empty host (" + url + ")");
      }
    }
  }

  private void required(String flag) {
    if (settings.text(flag).isBlank()) {
      settings.problem("--" + flag + " must not be empty");
    }
  }

  private void checkCluster() {
    Map<String, List<URI>> cluster = config.bootstrap().initialCluster();
    Set<URI> seen = new HashSet<>();
    for (List<URI> urls : cluster.values()) {
      for (URI url : urls) {
        if (!seen.add(url)) {
          settings.problem("initial cluster " + shown(cluster) + " has duplicate url " + url);
        }
      }
    }
    List<URI> own = cluster.get(config.name());
    if (own == null) {
      settings.problem(
          "couldn't find local name \""
              + config.name()
              + "\" in the initial cluster configuration");
      return;
    }
    Set<URI> listed = new TreeSet<>(own);
    Set<URI> advertised = new TreeSet<>(config.urls().advertisePeer());
    Set<URI> unadvertised = new TreeSet<>(listed);
    unadvertised.removeAll(advertised);
    if (!unadvertised.isEmpty()) {
      settings.problem(
          "--initial-cluster has "
              + entries(config.name(), unadvertised)
              + " but missing from --initial-advertise-peer-urls="
              + joined(advertised));
    }
    Set<URI> unlisted = new TreeSet<>(advertised);
    unlisted.removeAll(listed);
    if (!unlisted.isEmpty()) {
      settings.problem(
          "--initial-advertise-peer-urls has "
              + joined(unlisted)
              + " but missing from --initial-cluster="
              + shown(cluster));
    }
  }

  private void checkBootstrapMethod() {
    long methods =
        Stream.of("initial-cluster", "discovery-endpoints", "discovery-srv")
            .filter(flag -> !settings.text(flag).isEmpty())
            .count();
    if (methods > 1) {
      settings.problem(
          "multiple discovery or bootstrap flags are set. Choose one of \"initial-cluster\","
              + " \"discovery-endpoints\" or \"discovery-srv\"");
    }
  }

  private void checkTls() {
    Security security = config.security();
    pair("", security.client());
    pair("peer-", security.peer());
    scheme("client", "--cert-file, --key-file", security.client(), config.urls().listenClient());
    scheme(
        "peer", "--peer-cert-file, --peer-key-file", security.peer(), config.urls().listenPeer());
    version("tls-min-version", security.tlsMinVersion());
    if (!security.tlsMaxVersion().isEmpty()) {
      version("tls-max-version", security.tlsMaxVersion());
      if (security.tlsMinVersion().compareTo(security.tlsMaxVersion()) > 0) {
        settings.problem(
            "min version ("
                + security.tlsMinVersion()
                + ") is greater than max version ("
                + security.tlsMaxVersion()
                + ")");
      }
    }
  }

  private void version(String flag, String version) {
    if (!TLS_VERSIONS.contains(version)) {
      settings.invalid(flag, "must be one of TLS1.2, TLS1.3");
    }
  }

  private void pair(String prefix, TlsFiles tls) {
    if ((tls.certFile() == null) != (tls.keyFile() == null)) {
      settings.problem(bothOrNone(prefix + "cert-file", prefix + "key-file"));
    }
    if ((tls.clientCertFile() == null) != (tls.clientKeyFile() == null)) {
      settings.problem(bothOrNone(prefix + "client-cert-file", prefix + "client-key-file"));
    }
    if (tls.clientCertAuth() && tls.trustedCaFile() == null) {
      settings.problem(
          "--" + prefix + "client-cert-auth is set but --" + prefix + "trusted-ca-file is missing");
    }
    if (!tls.allowedCommonNames().isEmpty() && !tls.allowedHostnames().isEmpty()) {
      settings.problem(
          "AllowedCN and AllowedHostname are mutually exclusive (cn="
              + tls.allowedCommonNames()
              + ", hostname="
              + tls.allowedHostnames()
              + ")");
    }
  }

  private String bothOrNone(String cert, String key) {
    return "--"
        + cert
        + " and --"
        + key
        + " must both be present[key: "
        + settings.text(key)
        + ", cert: "
        + settings.text(cert)
        + "]";
  }

  private void scheme(String side, String flags, TlsFiles tls, List<URI> urls) {
    for (URI url : urls) {
      if (UrlList.isTls(url) && !tls.enabled()) {
        settings.problem(
            "TLS key/cert ("
                + flags
                + ") must be provided for "
                + side
                + " url "
                + url
                + " with HTTPS scheme");
      }
      if (!UrlList.isTls(url) && tls.enabled()) {
        settings.warn(
            "the scheme of "
                + side
                + " url "
                + url
                + " is HTTP while key/cert files are presented; they are ignored for it");
      }
    }
  }

  private static String shown(Map<String, List<URI>> cluster) {
    return cluster.entrySet().stream()
        .map(entry -> entries(entry.getKey(), entry.getValue()))
        .collect(Collectors.joining(","));
  }

  private static String entries(String name, Iterable<URI> urls) {
    StringBuilder text = new StringBuilder();
    for (URI url : urls) {
      text.append(text.isEmpty() ? "" : ",").append(name).append('=').append(url);
    }
    return text.toString();
  }

  private static String joined(Set<URI> urls) {
    return urls.stream().map(URI::toString).collect(Collectors.joining(","));
  }
}
