package io.tidemark.it.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.it.process.Command;
import io.tidemark.it.process.Command.Ended;
import io.tidemark.it.process.Product;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.support.Clusters;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A store with history goes over to a real etcd, and from there back again, by the two tools. */
class RoundTripIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @RegisterExtension final Clusters clusters = Clusters.perTest();
  @TempDir Path directory;

  @BeforeEach
  void oursOnly() {
    assumeTrue(Product.underTest() == Product.TIDEMARK, "compares ours with etcd's");
  }

  @Test
  @Tag("snapshot")
  void tenThousandKeys() throws Exception {
    thereAndBack(10_000);
  }

  @Test
  @Tag("long")
  void aHundredThousandKeys() throws Exception {
    thereAndBack(100_000);
  }

  private void thereAndBack(int keys) throws Exception {
    Laps laps = new Laps();
    ProcessCluster ours = clusters.start(ClusterPlan.of(1));
    long compacted = LargeStore.fill(ours.client(0), keys, 14);
    laps.end("fill");
    ContentsDigest contents = ContentsDigest.of(ours.client(0), compacted);
    laps.end("digest of ours");

    Path there = directory.resolve("there");
    save(ours, there);
    laps.end("save from ours");
    sameStatus(there);
    laps.end("status");
    ProcessCluster etcd = clusters.start(ClusterPlan.of(1, Product.ETCD).restoredFrom(there));
    laps.end("restore in etcd");
    assertEquals(contents, ContentsDigest.of(etcd.client(0), compacted));
    laps.end("digest of etcd's");

    Path back = directory.resolve("back");
    save(etcd, back);
    laps.end("save from etcd");
    sameStatus(back);
    laps.end("status");
    ProcessCluster again = clusters.start(ClusterPlan.of(1).restoredFrom(back));
    laps.end("restore in ours");
    assertEquals(contents, ContentsDigest.of(again.client(0), compacted));
    laps.end("digest of ours");
  }

  private static void save(ProcessCluster from, Path file) {
    ends(etcdctl("--endpoints=" + from.endpoint(0), "snapshot", "save", file.toString()));
  }

  private static void sameStatus(Path file) {
    String[] status = {"snapshot", "status", file.toString(), "-w", "json"};
    String theirs = ends(etcdctl(status)).out();
    String ours = ends(Command.of(Product.script("tidemarkctl").toString()).with(status)).out();
    assertEquals(theirs, ours);
    assertTrue(theirs.contains("\"totalKey\""), theirs);
  }

  private static Command etcdctl(String... words) {
    return Command.of("etcdctl").with(words).env(Map.of("ETCDCTL_API", "3"));
  }

  private static Ended ends(Command command) {
    Ended ended = command.run(LIMIT);
    assertEquals(0, ended.code(), ended::all);
    return ended;
  }

  /** Says how long each step took. */
  private static final class Laps {
    private long began = System.nanoTime();

    void end(String step) {
      long now = System.nanoTime();
      System.out.printf("%-18s %6d ms%n", step, (now - began) / 1_000_000);
      began = now;
    }
  }
}
