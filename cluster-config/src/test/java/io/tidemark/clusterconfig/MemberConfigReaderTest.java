package io.tidemark.clusterconfig;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class MemberConfigReaderTest {
  private static final URI CLIENT = URI.create("http://localhost:2379");
  private static final URI PEER = URI.create("http://localhost:2380");

  @Test
  void defaultsAreTheContracts() {
    MemberConfig config = Reading.config();
    assertEquals("default", config.name());
    assertEquals(Path.of("default.etcd"), config.dataDir());
    assertEquals(
        new MemberUrls(
            List.of(CLIENT), List.of(), List.of(CLIENT), List.of(PEER), List.of(PEER), List.of()),
        config.urls());
    assertEquals(
        new Bootstrap(
            Map.of("default", List.of(PEER)),
            Bootstrap.ClusterState.NEW,
            "etcd-cluster",
            true,
            false,
            false),
        config.bootstrap());
    assertEquals(new RaftTiming(100, 1000, 10_000, 5_000, true, false), config.raft());
    assertEquals(
        new MemberLimits(
            2_147_483_648L,
            134_217_728L,
            128,
            1_572_864,
            4_294_967_295L,
            1,
            Duration.ofMinutes(10),
            Duration.ofMillis(100),
            Duration.ofMillis(300)),
        config.limits());
    assertEquals(
        new AutoCompaction(AutoCompaction.Mode.PERIODIC, 0, Duration.ZERO), config.compaction());
    assertEquals(
        new CorruptionCheck(false, Duration.ZERO, Duration.ofMinutes(1)), config.corruption());
    assertEquals(
        new Keepalive(Duration.ofSeconds(5), Duration.ofHours(2), Duration.ofSeconds(20)),
        config.keepalive());
    TlsFiles plain =
        new TlsFiles(null, null, null, null, null, false, false, null, List.of(), List.of(), false);
    assertEquals(
        new Security(
            plain, plain, List.of(), "TLS1.2", "", 1, "simple", Duration.ofSeconds(300), 10),
        config.security());
    assertEquals(new HttpOptions(List.of("*"), List.of("*"), true, false, false), config.http());
    assertEquals(
        new Logging(Logging.Level.INFO, Logging.Format.JSON, List.of("default"), null),
        config.logging());
    assertEquals(List.of(), Reading.warnings(Map.of()));
  }

  @Test
  void flagsComeInGosSpellings() {
    assertEquals("a", Reading.config("--name=a").name());
    assertEquals("a", Reading.config("-name", "a").name());
    assertEquals("b", Reading.config("--name=a", "--name", "b").name());
    assertEquals(false, Reading.config("--pre-vote=false").raft().preVote());
    assertEquals(true, Reading.config("--pre-vote=false", "-pre-vote").raft().preVote());
    assertEquals("", Reading.config("--initial-cluster-token=").bootstrap().token());
    assertEquals("a=b", Reading.config("--initial-cluster-token=a=b").bootstrap().token());
  }

  @Test
  void aFlagBeatsItsVariableWhichBeatsTheDefault() {
    Map<String, String> env = Map.of("ETCD_HEARTBEAT_INTERVAL", "50", "ETCD_NAME", "");
    assertEquals(50, Reading.config(env).raft().heartbeatMillis());
    assertEquals("default", Reading.config(env).name());
    assertEquals(70, Reading.config(env, "--heartbeat-interval=70").raft().heartbeatMillis());
    assertEquals(
        List.of(
            "recognized environment variable ETCD_HEARTBEAT_INTERVAL, but unused: shadowed by"
                + " corresponding flag"),
        Reading.warnings(env, "--heartbeat-interval=70"));
  }

  @Test
  void strangersInTheEnvironmentOnlyWarn() {
    assertEquals(
        List.of("unrecognized environment variable: ETCD_FOO=bar"),
        Reading.warnings(
            Map.of("ETCD_FOO", "bar", "ETCD_COMPAT_VERSION", "3.6.14", "ETCDCTL_API", "3")));
  }

  @Test
  void theInitialClusterFollowsNameAndPeerUrls() {
    MemberConfig config =
        Reading.config("--name=n1", "--initial-advertise-peer-urls=http://10.0.0.1:2380");
    assertEquals(
        Map.of("n1", List.of(URI.create("http://10.0.0.1:2380"))),
        config.bootstrap().initialCluster());
  }

  @Test
  void aClusterOfThree() {
    MemberConfig config =
        Reading.config(
            "--name=m1",
            "--initial-advertise-peer-urls=http://node_1:2380,http://10.0.0.1:2380",
            "--initial-cluster=m0=http://10.0.0.0:2380,m1=http://10.0.0.1:2380,"
                + "m1=http://node_1:2380,m2=http://10.0.0.2:2380",
            "--initial-cluster-state=existing");
    assertEquals(
        List.of("m0", "m1", "m2"), List.copyOf(config.bootstrap().initialCluster().keySet()));
    assertEquals(
        List.of(URI.create("http://10.0.0.1:2380"), URI.create("http://node_1:2380")),
        config.bootstrap().initialCluster().get("m1"));
    assertEquals(Bootstrap.ClusterState.EXISTING, config.bootstrap().state());
    assertEquals(
        MemberIds.memberId(config.urls().advertisePeer(), "etcd-cluster", OptionalLong.empty()),
        MemberIds.memberId(
            List.of(URI.create("http://10.0.0.1:2380"), URI.create("http://node_1:2380")),
            "etcd-cluster",
            OptionalLong.empty()));
  }

  @Test
  void quotaZeroIsTheDefaultAndNegativeIsNone() {
    assertEquals(
        2_147_483_648L, Reading.config("--quota-backend-bytes=0").limits().quotaBackendBytes());
    assertEquals(-1, Reading.config("--quota-backend-bytes=-5").limits().quotaBackendBytes());
    assertEquals(
        200_000_000_000L,
        Reading.config("--quota-backend-bytes=200000000000").limits().quotaBackendBytes());
  }

  @Test
  void memoryOfTheStoreHasALeastSize() {
    assertEquals(134_217_728L, Reading.config().limits().storeMemoryBytes());
    assertEquals(
        16_777_216L, Reading.config("--store-memory-bytes=16777216").limits().storeMemoryBytes());
    assertEquals(
        List.of(
            "invalid value \"16777215\" for flag -store-memory-bytes:"
                + " value out of range [16777216, 9223372036854775807]"),
        Reading.problems("--store-memory-bytes=16777215"));
  }

  @Test
  void retentionIsHoursOrADurationOrRevisions() {
    assertEquals(
        Duration.ofHours(2),
        Reading.config("--auto-compaction-retention=2").compaction().retentionPeriod());
    assertEquals(
        Duration.ofMinutes(5),
        Reading.config("--auto-compaction-retention=5m").compaction().retentionPeriod());
    AutoCompaction byRevision =
        Reading.config("--auto-compaction-mode=revision", "--auto-compaction-retention=1000")
            .compaction();
    assertEquals(1000, byRevision.retentionRevisions());
    assertEquals(Duration.ZERO, byRevision.retentionPeriod());
    assertTrue(byRevision.enabled());
  }

  @Test
  void membersAreComparedAsAskedFor() {
    assertEquals(
        new CorruptionCheck(true, Duration.ofHours(1), Duration.ofSeconds(5)),
        Reading.config(
                "--experimental-initial-corrupt-check",
                "--corrupt-check-time=1h",
                "--experimental-compact-hash-check-time=5s")
            .corruption());
    assertEquals(
        Duration.ZERO,
        Reading.config("--compact-hash-check-enabled=false").corruption().afterCompaction());
  }

  @Test
  void everyFlagIsAcceptedAtItsDefault() {
    String[] args =
        FlagTable.INSTANCE.all().stream()
            .filter(flag -> !flag.name().equals("initial-cluster"))
            .map(flag -> "--" + flag.name() + "=" + flag.defaultValue())
            .toArray(String[]::new);
    assertEquals(List.of(), Reading.warnings(Map.of(), args));
  }

  @Test
  void flagsWithoutEffectWarn() {
    assertEquals(
        List.of(
            "--max-wals is accepted but has no effect",
            "--unsafe-no-fsync is accepted but not supported yet"),
        Reading.warnings(Map.of(), "--max-wals=9", "--unsafe-no-fsync").stream().sorted().toList());
  }

  @Test
  void formerNamesStillWork() {
    assertEquals(
        Duration.ofSeconds(1),
        Reading.config("--experimental-watch-progress-notify-interval=1s")
            .limits()
            .watchProgressInterval());
    assertEquals(
        Duration.ofSeconds(2),
        Reading.config(Map.of("ETCD_EXPERIMENTAL_WATCH_PROGRESS_NOTIFY_INTERVAL", "2s"))
            .limits()
            .watchProgressInterval());
  }

  @Test
  void helpAndVersionWinOverEverything() {
    String help =
        MemberConfigReader.read(new String[] {"--nonsense", "-h"}, Map.of())
            .on(
                new Reading.Expecting<String>() {
                  @Override
                  public String help(ConfigResult.Help help) {
                    return help.text();
                  }
                });
    assertTrue(help.contains("  --listen-client-urls 'http://localhost:2379'\n"));
    assertEquals(
        "version",
        MemberConfigReader.read(new String[] {"--version"}, Map.of())
            .on(
                new Reading.Expecting<String>() {
                  @Override
                  public String version() {
                    return "version";
                  }
                }));
  }

  @Test
  void featureGatesStandForFlags() {
    CorruptionCheck check =
        Reading.config("--feature-gates=InitialCorruptCheck=true,CompactHashCheck=false")
            .corruption();
    assertTrue(check.atStart());
    assertEquals(Duration.ZERO, check.afterCompaction());
    assertEquals(
        List.of("feature gate LeaseCheckpoint is accepted but has no effect"),
        Reading.warnings(Map.of(), "--feature-gates=LeaseCheckpoint=true"));
  }

  @Test
  void logRotation() {
    String[] file = {"--log-outputs=stderr,a.log", "--enable-log-rotation"};
    assertEquals(
        new LogRotation(100, 0, 0, false, false), Reading.config(file).logging().rotation());
    assertEquals(
        new LogRotation(5, 7, 3, true, true),
        Reading.config(
                file[0],
                file[1],
                "--log-rotation-config-json={\"maxsize\":5, \"MaxAge\":7, \"maxbackups\":3,"
                    + " \"localtime\":true, \"compress\":true}")
            .logging()
            .rotation());
    assertNull(
        Reading.config(file[0], "--log-rotation-config-json={\"maxsize\":5}").logging().rotation());
  }
}
