package io.tidemark.clusterconfig;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigFileTest {
  @TempDir Path directory;

  private String file(String text) throws IOException {
    return Files.writeString(directory.resolve("member.yml"), text).toString();
  }

  @Test
  void theFileAloneCounts() throws IOException {
    String file =
        file(
            """
            name: n1
            data-dir: /var/lib/n1
            listen-client-urls: http://127.0.0.1:1,http://127.0.0.1:2
            advertise-client-urls: http://127.0.0.1:1
            heartbeat-interval: 200
            election-timeout: 2000
            watch-progress-notify-interval: 5000000000
            grpc-keepalive-min-time: 1s
            auto-compaction-retention: "3"
            downgrade-check-time: 3600000000000
            pre-vote: false
            quota-backend-bytes: 8589934592
            log-outputs: [stderr, a.log]
            cors:
            """);
    Map<String, String> env = Map.of("ETCD_NAME", "other", "ETCD_FOO", "ignored");
    ConfigResult.Valid read =
        Reading.valid(env, "--config-file", file, "--heartbeat-interval=nonsense");
    MemberConfig config = read.config();
    assertEquals("n1", config.name());
    assertEquals(Path.of("/var/lib/n1"), config.dataDir());
    assertEquals(
        List.of(URI.create("http://127.0.0.1:1"), URI.create("http://127.0.0.1:2")),
        config.urls().listenClient());
    assertEquals(List.of("n1"), List.copyOf(config.bootstrap().initialCluster().keySet()));
    assertEquals(200, config.raft().heartbeatMillis());
    assertEquals(false, config.raft().preVote());
    assertEquals(Duration.ofSeconds(5), config.limits().watchProgressInterval());
    assertEquals(Duration.ofSeconds(1), config.keepalive().minTime());
    assertEquals(Duration.ofHours(3), config.compaction().retentionPeriod());
    assertEquals(8_589_934_592L, config.limits().quotaBackendBytes());
    assertEquals(List.of("stderr", "a.log"), config.logging().outputs());
    assertEquals(List.of("*"), config.http().cors());
    assertEquals(
        List.of(
            "loaded server configuration from "
                + file
                + ", other command line flags and environment variables are ignored",
            "--downgrade-check-time is accepted but has no effect"),
        read.warnings());
  }

  @Test
  void theVariableNamesAFileToo() throws IOException {
    String file = file("name: from-file");
    assertEquals(
        "from-file", Reading.config(Map.of("ETCD_CONFIG_FILE", file, "ETCD_NAME", "x")).name());
  }

  @Test
  void securityBlocks() throws IOException {
    MemberConfig config =
        Reading.config(
            "--config-file="
                + file(
                    """
                    client-transport-security:
                      cert-file: c.pem
                      key-file: k.pem
                      client-cert-auth: true
                      trusted-ca-file: ca.pem
                    peer-transport-security:
                      cert-file: pc.pem
                      key-file: pk.pem
                      client-cert-auth: true
                      trusted-ca-file: pca.pem
                      allowed-cn: node
                    cipher-suites: [TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256]
                    """));
    assertEquals(
        new TlsFiles(
            Path.of("c.pem"),
            Path.of("k.pem"),
            null,
            null,
            Path.of("ca.pem"),
            true,
            false,
            null,
            List.of(),
            List.of(),
            false),
        config.security().client());
    assertEquals(
        new TlsFiles(
            Path.of("pc.pem"),
            Path.of("pk.pem"),
            null,
            null,
            Path.of("pca.pem"),
            true,
            false,
            null,
            List.of("node"),
            List.of(),
            false),
        config.security().peer());
    assertEquals(
        List.of("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"), config.security().cipherSuites());
  }

  @Test
  void problemsNameKeyAndFile() throws IOException {
    String file = file("heartbeat-interval: soon\nname: {a: b}\n");
    assertEquals(
        List.of(
            "invalid value for name in " + file + ": unexpected mapping",
            "invalid value \"soon\" for heartbeat-interval in " + file + ": parse error"),
        Reading.problems("--config-file=" + file));
    assertEquals(
        List.of("error parsing configuration file " + file("- a") + ": not a mapping"),
        Reading.problems("--config-file=" + file));
  }

  @Test
  void unknownKeysOnlyWarn() throws IOException {
    String file = file("nmae: x");
    assertEquals(
        List.of("unrecognized key in " + file + ": nmae"),
        Reading.warnings(Map.of(), "--config-file=" + file));
  }

  /** One misspelled key is as likely the cause of the trouble as the value that was refused. */
  @Test
  void unknownKeysAreListedWithTheProblems() throws IOException {
    String file =
        file(
            """
            nmae: x
            heartbeat-interval: soon
            client-transport-security: {cert-fil: c.pem, crl-file: r.pem}
            """);
    assertEquals(
        List.of(
            "invalid value \"soon\" for heartbeat-interval in " + file + ": parse error",
            "unrecognized key in " + file + ": nmae",
            "unrecognized key in " + file + ": client-transport-security.cert-fil"),
        Reading.problems("--config-file=" + file));
  }

  @Test
  void aMissingFileIsAProblem() {
    String file = directory.resolve("none.yml").toString();
    assertEquals(
        List.of(
            "cannot read configuration file "
                + file
                + ": java.nio.file.NoSuchFileException: "
                + file),
        Reading.problems("--config-file=" + file));
  }
}
