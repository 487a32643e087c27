package io.tidemark.clusterconfig;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConfigProblemsTest {
  @Test
  void allProblemsAreReportedAtOnce() {
    assertEquals(
        List.of(
            "flag provided but not defined: -nonsense",
            "'stray' is not a valid flag",
            "flag needs an argument: -name",
            "invalid value \"soon\" for flag -heartbeat-interval: parse error",
            "invalid value \"-1\" for ETCD_MAX_TXN_OPS: value out of range [0, 2147483647]"),
        Reading.problems(
            Map.of("ETCD_MAX_TXN_OPS", "-1"),
            "--nonsense=1",
            "stray",
            "--heartbeat-interval=soon",
            "--name"));
  }

  @Test
  void badValues() {
    assertEquals(
        List.of("invalid value \"maybe\" for flag -pre-vote: parse error"),
        Reading.problems("--pre-vote=maybe"));
    assertEquals(
        List.of("invalid value \"5\" for flag -grpc-keepalive-min-time: parse error"),
        Reading.problems("--grpc-keepalive-min-time=5"));
    assertEquals(
        List.of(
            "invalid value \"old\" for flag -initial-cluster-state: must be one of new, existing"),
        Reading.problems("--initial-cluster-state=old"));
    assertEquals(
        List.of(
            "invalid value \"4294967296\" for flag -max-concurrent-streams:"
                + " value out of range [1, 4294967295]"),
        Reading.problems("--max-concurrent-streams=4294967296"));
    assertEquals(
        List.of("invalid value \"X\" for flag -feature-gates: missing bool value for X"),
        Reading.problems("--feature-gates=X"));
    assertEquals(
        List.of("invalid value \"X=true\" for flag -feature-gates: unrecognized feature gate: X"),
        Reading.problems("--feature-gates=X=true"));
    assertEquals(
        List.of("cannot specify both --feature-gates and --initial-corrupt-check"),
        Reading.problems("--feature-gates=InitialCorruptCheck=true", "--initial-corrupt-check"));
  }

  @Test
  void timing() {
    assertEquals(
        List.of(
            "--election-timeout[400ms] should be at least as 5 times as"
                + " --heartbeat-interval[100ms]"),
        Reading.problems("--election-timeout=400"));
    assertEquals(
        List.of("--election-timeout[50001ms] is too long, and should be set less than 50000ms"),
        Reading.problems("--election-timeout=50001"));
    assertEquals(
        List.of("--heartbeat-interval must be >0 (set to 0ms)"),
        Reading.problems("--heartbeat-interval=0"));
    assertEquals(List.of(), Reading.warnings(Map.of(), "--election-timeout=50000"));
  }

  @Test
  void urls() {
    assertEquals(
        List.of(
            "invalid value \"ftp://localhost:1\" for flag -listen-peer-urls:"
                + " URL scheme must be http, https, unix, or unixs: ftp://localhost:1"),
        Reading.problems("--listen-peer-urls=ftp://localhost:1"));
    assertEquals(
        List.of(
            "invalid value \"http://localhost\" for flag -listen-peer-urls:"
                + " URL address does not have the form \"host:port\": http://localhost"),
        Reading.problems("--listen-peer-urls=http://localhost"));
    assertEquals(
        List.of(
            "invalid value \"http://localhost:1/x\" for flag -listen-peer-urls:"
                + " URL must not contain a path: http://localhost:1/x"),
        Reading.problems("--listen-peer-urls=http://localhost:1/x"));
    assertEquals(
        List.of(
            "invalid value \"http://example.com:1\" for flag -listen-peer-urls:"
                + " expected IP in URL for binding (http://example.com:1)"),
        Reading.problems("--listen-peer-urls=http://example.com:1"));
    assertEquals(
        List.of(
            "invalid value \"http://:1\" for flag -advertise-client-urls:"
                + " unexpected empty host (http://:1)"),
        Reading.problems("--advertise-client-urls=http://:1"));
    assertEquals(
        List.of("--listen-peer-urls must not be empty"), Reading.problems("--listen-peer-urls="));
  }

  @Test
  void listeningNeedsAdvertising() {
    String problem =
        "--advertise-client-urls is required when --listen-client-urls is set explicitly";
    assertEquals(List.of(problem), Reading.problems("--listen-client-urls=http://127.0.0.1:1"));
    assertEquals(
        List.of(problem),
        Reading.problems(Map.of("ETCD_LISTEN_CLIENT_URLS", "http://127.0.0.1:1")));
  }

  @Test
  void theInitialClusterMustAgreeWithThisMember() {
    assertEquals(
        List.of("couldn't find local name \"x\" in the initial cluster configuration"),
        Reading.problems("--name=x", "--initial-cluster=y=http://localhost:2380"));
    assertEquals(
        List.of(
            "--initial-cluster has default=http://10.0.0.1:1 but missing from"
                + " --initial-advertise-peer-urls=http://localhost:2380",
            "--initial-advertise-peer-urls has http://localhost:2380 but missing from"
                + " --initial-cluster=default=http://10.0.0.1:1"),
        Reading.problems("--initial-cluster=default=http://10.0.0.1:1"));
    assertEquals(
        List.of(
            "initial cluster default=http://localhost:2380,b=http://localhost:2380"
                + " has duplicate url http://localhost:2380"),
        Reading.problems(
            "--initial-cluster=default=http://localhost:2380,b=http://localhost:2380"));
  }

  @Test
  void onlyOneWayToFindTheFounders() {
    assertEquals(
        List.of(
            "--discovery-srv is not supported yet",
            "multiple discovery or bootstrap flags are set. Choose one of \"initial-cluster\","
                + " \"discovery-endpoints\" or \"discovery-srv\""),
        Reading.problems(
            "--initial-cluster=default=http://localhost:2380", "--discovery-srv=example.com"));
  }

  /** A member that passed over them would found another cluster. */
  @Test
  void flagsThatAreUnsafeToPassOverAreRefused() {
    assertEquals(
        List.of(
            "--discovery-token is not supported yet", "--discovery-endpoints is not supported yet"),
        Reading.problems("--discovery-endpoints=http://localhost:1", "--discovery-token=t"));
  }

  @Test
  void tlsFilesComeInPairs() {
    assertEquals(
        List.of("--cert-file and --key-file must both be present[key: , cert: c.pem]"),
        Reading.problems("--cert-file=c.pem"));
    assertEquals(
        List.of("--peer-client-cert-auth is set but --peer-trusted-ca-file is missing"),
        Reading.problems("--peer-client-cert-auth"));
    assertEquals(
        List.of(
            "TLS key/cert (--cert-file, --key-file) must be provided for client url"
                + " https://localhost:2379 with HTTPS scheme"),
        Reading.problems(
            "--listen-client-urls=https://localhost:2379",
            "--advertise-client-urls=https://localhost:2379"));
    assertEquals(
        List.of("min version (TLS1.3) is greater than max version (TLS1.2)"),
        Reading.problems("--tls-min-version=TLS1.3", "--tls-max-version=TLS1.2"));
  }

  @Test
  void logRotation() {
    String single =
        "--log-outputs requires a single file path when --log-rotate-config-json is defined";
    assertEquals(List.of(single), Reading.problems("--enable-log-rotation"));
    assertEquals(
        List.of(single), Reading.problems("--enable-log-rotation", "--log-outputs=a.log,b.log"));
    assertEquals("maxsize must be a number from 0 to 1048576", rotation("{\"maxsize\": -1}"));
    assertEquals("maxage must be a number from 0 to 100000", rotation("{\"maxage\": \"1\"}"));
    assertEquals("compress must be true or false", rotation("{\"compress\": 1}"));
    assertEquals("unknown [maxsise]", rotation("{\"maxsise\": 1}"));
    assertEquals("[1] is not an object", rotation("[1]"));
    assertEquals("{ is not JSON", rotation("{"));
  }

  private static String rotation(String json) {
    List<String> problems =
        Reading.problems(
            "--enable-log-rotation", "--log-outputs=a.log", "--log-rotation-config-json=" + json);
    assertEquals(1, problems.size(), problems::toString);
    String text = problems.get(0);
    String kind = "invalid log rotation config: ";
    assertEquals(kind, text.substring(0, kind.length()));
    return text.substring(kind.length());
  }
}
