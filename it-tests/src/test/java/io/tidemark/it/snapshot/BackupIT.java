package io.tidemark.it.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.it.client.MemberClient;
import io.tidemark.it.process.Await;
import io.tidemark.it.process.Command;
import io.tidemark.it.process.Command.Ended;
import io.tidemark.it.process.Product;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.support.Clusters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Backups go over to a real etcd and come from one, with all that a client can see. */
@Tag("snapshot")
class BackupIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @RegisterExtension final Clusters clusters = Clusters.perTest();
  @TempDir Path directory;

  @BeforeEach
  void oursOnly() {
    assumeTrue(Product.underTest() == Product.TIDEMARK, "compares ours with etcd's");
  }

  @Test
  void oursOpensInEtcd() throws IOException {
    ProcessCluster ours = clusters.start(ClusterPlan.of(1));
    Contents contents = Contents.write(ours.client(0), 150, 1);
    Path file = directory.resolve("ours");
    ends(0, etcdctl(ours, "snapshot", "save", file.toString()));

    String status = ends(0, etcdctl("snapshot", "status", file.toString(), "-w", "table")).out();
    assertEquals(status, ends(0, ctl("snapshot", "status", file.toString(), "-w", "table")).out());
    assertTrue(status.contains(" " + contents.revision() + " "), status);

    // Our own command saves the same; only the position in the log may have moved on.
    Path again = directory.resolve("again");
    Ended saved =
        ends(0, ctl("--endpoints=" + ours.endpoint(0), "snapshot", "save", again.toString()));
    assertEquals("Snapshot saved at " + again + "\n", saved.out());
    assertEquals(Files.size(file), Files.size(again));
    assertEquals(statusWithoutHash(file), statusWithoutHash(again));

    ProcessCluster etcd = clusters.start(ClusterPlan.of(1, Product.ETCD).restoredFrom(file));
    contents.assertSameAs(Contents.of(etcd.client(0), contents.compacted()));
    refusesDamage(file);
  }

  private static String statusWithoutHash(Path file) {
    return ends(0, etcdctl("snapshot", "status", file.toString(), "-w", "json"))
        .out()
        .replaceFirst("\"hash\":\\d+,", "");
  }

  private void refusesDamage(Path file) throws IOException {
    byte[] good = Files.readAllBytes(file);
    byte[] altered = good.clone();
    altered[good.length / 2] ^= 1;
    Path bad = Files.write(directory.resolve("altered"), altered);
    assertTrue(restoreFails(bad).contains("expected sha256 "));
    Files.write(bad, Arrays.copyOf(good, good.length - 4096));
    assertTrue(restoreFails(bad).contains("expected sha256 "));
    Files.write(bad, Arrays.copyOf(good, good.length - 32));
    assertTrue(restoreFails(bad).contains("snapshot missing hash but --skip-hash-check=false"));
    assertTrue(Files.notExists(directory.resolve("refused")));
  }

  private String restoreFails(Path file) {
    return ends(
            1,
            ctl("snapshot", "restore", file.toString())
                .with("--data-dir=" + directory.resolve("refused")))
        .err();
  }

  @Test
  void etcdsOpensHere() {
    ProcessCluster etcd = clusters.start(ClusterPlan.of(1, Product.ETCD));
    Contents contents = Contents.write(etcd.client(0), 150, 2);
    Path file = directory.resolve("etcds");
    ends(0, etcdctl(etcd, "snapshot", "save", file.toString()));

    ProcessCluster ours = clusters.start(ClusterPlan.of(3).restoredFrom(file));
    for (MemberClient client : ours.clients()) {
      contents.assertSameAs(Contents.of(client, contents.compacted()));
    }
    assertEquals(
        contents.revision() + 1,
        ours.client(1).put("after", "restoring").answer().getHeader().getRevision());

    // The data directory of a member that has been stopped does as well.
    etcd.member(0).terminate();
    etcd.member(0).awaitExit(LIMIT);
    Ended imported =
        ends(
            0,
            ctl("import", etcd.member(0).spec().dataDir().toString())
                .with("--data-dir=" + directory.resolve("imported")));
    assertTrue(
        imported
            .out()
            .contains(
                ": revision %d (compacted up to %d), member "
                    .formatted(contents.revision(), contents.compacted())),
        imported::all);
  }

  @Test
  void mirrorsBothWays() {
    ProcessCluster etcd = clusters.start(ClusterPlan.of(1, Product.ETCD));
    ProcessCluster ours = clusters.start(ClusterPlan.of(1));
    mirrors(etcd, ours, "there/");
    mirrors(ours, etcd, "back/");
  }

  private void mirrors(ProcessCluster from, ProcessCluster to, String prefix) {
    from.client(0).put(prefix + "before", "1").answer();
    Command mirror = etcdctl(from, "make-mirror", "--prefix=" + prefix).with(to.endpoint(0));
    try (Command.Running running =
        mirror.start(directory.resolve(prefix.replace('/', '.') + "log"))) {
      awaitValue(to, prefix + "before", "1");
      from.client(0).put(prefix + "live", "2").answer();
      awaitValue(to, prefix + "live", "2");
      from.client(0).delete(prefix + "before").answer();
      awaitValue(to, prefix + "before", null);
      assertTrue(running.process().isAlive(), () -> running.output().tail());
    }
  }

  private static void awaitValue(ProcessCluster cluster, String key, @Nullable String value) {
    Await.until(
        key + " = " + value,
        LIMIT,
        () -> {
          var found = cluster.client(0).get(key).answer().getKvsList();
          return value == null
              ? found.isEmpty()
              : found.size() == 1 && found.get(0).getValue().toStringUtf8().equals(value);
        });
  }

  private static Command etcdctl(ProcessCluster cluster, String... words) {
    return etcdctl("--endpoints=" + cluster.endpoint(0)).with(words);
  }

  private static Command etcdctl(String... words) {
    return Command.of("etcdctl").with(words).env(Map.of("ETCDCTL_API", "3"));
  }

  private static Command ctl(String... words) {
    return Command.of(Product.script("tidemarkctl").toString()).with(words);
  }

  private static Ended ends(int code, Command command) {
    Ended ended = command.run(LIMIT);
    assertEquals(code, ended.code(), ended::all);
    return ended;
  }
}
