package io.tidemark.it.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.ByteString;
import io.tidemark.api.mvccpb.Event;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.it.process.Await;
import io.tidemark.it.process.Product;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.DataDirectory;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.rig.Replicas;
import io.tidemark.it.support.Clusters;
import io.tidemark.judge.EventLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A tree of real files is kept in the store and rebuilt from a watch on every member, while the
 * leader is killed and a member is cut off until it needs a snapshot. Every copy ends up the same.
 */
class MirroredTreeIT {
  private static final String PREFIX = "tree/";
  private static final Duration CATCH_UP = Duration.ofSeconds(30);
  private static final int LARGE_FILES = 4;
  private static final int LARGE_BYTES_MAX = 256 << 10;

  /** Entries between checkpoints. */
  private static final int SNAPSHOT_COUNT = 200;

  /** The member that is cut off may have a few entries more than the one asked. */
  private static final int MARGIN = 100;

  /** The name of a file of a member's log, and the first index in it. */
  @RegisterExtension final Clusters clusters = Clusters.perTest();

  @TempDir Path directory;

  private final Random random = new Random(7);
  private int changes;

  @Tag("snapshot")
  @ParameterizedTest
  @EnumSource
  void copiesOnEveryMemberEqualTheTree(Mirror.Kind client) {
    mirror(client, "java.base/java/util/");
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource
  void copiesOnEveryMemberEqualALargeTree(Mirror.Kind client) {
    mirror(client, "java.base/");
  }

  private void mirror(Mirror.Kind client, String sources) {
    assumeTrue(Product.underTest() == Product.TIDEMARK, "etcd has no hook for links");
    FileTree tree = realFiles(sources);
    ProcessCluster cluster =
        clusters.start(ClusterPlan.of(3).flags("--snapshot-count=" + SNAPSHOT_COUNT).onLinks());
    List<Mirror> mirrors = new ArrayList<>();
    for (int member = 0; member < cluster.size(); member++) {
      mirrors.add(clusters.closing(client.on(cluster, member, PREFIX)));
    }
    int leader = cluster.awaitLeader();
    int writer = cluster.otherThan(leader);
    TreeSync sync = new TreeSync(cluster.client(writer), PREFIX);
    sync.sync(tree.files());
    assertTrue(sync.acknowledged().size() > 300, () -> "only " + sync.acknowledged().size());

    changeWhileLeaderDies(cluster, leader, tree, sync);
    int lagging = pauseThenCutOffUntilItNeedsASnapshot(cluster, writer, tree, sync);
    cluster.awaitServing(lagging);

    Replicas.State state = Replicas.agreed(cluster);
    assertNothingLost(new EventLog(state.events()), sync.acknowledged());
    assertEquals(tree.files(), stored(state));
    List<Event> expected = state.events().stream().filter(MirroredTreeIT::inTree).toList();
    long last = expected.get(expected.size() - 1).getKv().getModRevision();
    for (Mirror mirror : mirrors) {
      MirroredFiles files = mirror.mirrored();
      files.await(last, CATCH_UP);
      assertEquals(List.of(), files.faults());
      assertTrue(expected.equals(files.events()), "each event, once, in order");
      assertEquals(tree.files(), files.files());
    }
    assertTrue(cluster.metrics(lagging).get("tidemark_snapshot_installs_total") >= 1);
    if (mirrors.get(leader) instanceof StubMirror ofTheDead
        && mirrors.get(writer) instanceof StubMirror ofTheLiving) {
      assertEquals(2, ofTheDead.streams(), "resumed once, after the member's death");
      assertEquals(1, ofTheLiving.streams());
    }
  }

  /** Our sources, this machine's settings, the sources of a JDK where there are some. */
  private FileTree realFiles(String sources) {
    FileTree tree = FileTree.ofOurSources(directory);
    tree.addDirectory("etc", Path.of("/etc"));
    ClusterPlan.installedJdk(25)
        .or(() -> ClusterPlan.installedJdk(17))
        .map(jdk -> jdk.resolve("lib/src.zip"))
        .filter(Files::isReadable)
        .ifPresent(archive -> tree.addArchive("jdk", archive, sources));
    for (int i = 0; i < LARGE_FILES; i++) {
      tree.write("large/" + i, noise(LARGE_BYTES_MAX - i * 1000));
    }
    return tree;
  }

  private void changeWhileLeaderDies(
      ProcessCluster cluster, int leader, FileTree tree, TreeSync sync) {
    touchSome(tree, 150);
    renameSome(tree, 30);
    deleteSome(tree, 30);
    Map<String, ByteString> wanted = tree.files();
    int before = sync.attempts();
    CompletableFuture<Void> syncing = inBackground(() -> sync.sync(wanted));
    Await.until("a sync under way", CATCH_UP, () -> sync.attempts() >= before + 50);
    cluster.kill(leader);
    syncing.join();
    cluster.restart(leader);
  }

  /**
   * Returns who was paused and cut off. What the links hold back is dropped: it could be all that
   * is missed.
   */
  private int pauseThenCutOffUntilItNeedsASnapshot(
      ProcessCluster cluster, int writer, FileTree tree, TreeSync sync) {
    int leader = cluster.awaitLeader();
    int lagging = 3 - writer - (leader == writer ? cluster.otherThan(writer) : leader);
    cluster.member(lagging).pause();
    cluster.awaitLeader(cluster.allBut(lagging));
    touchSome(tree, 100);
    sync.sync(tree.files());
    cluster.member(lagging).resume();
    cluster.awaitServing(lagging);
    cluster.links().isolate(lagging);
    cluster.awaitLeader(cluster.allBut(lagging));
    int store = DataDirectory.of(cluster, lagging).liveStore();
    long cutAt = cluster.client(writer).status().answer().getRaftIndex();
    for (int member : cluster.allBut(lagging)) {
      while (DataDirectory.of(cluster, member).oldestLogEntry() <= cutAt + MARGIN) {
        touchSome(tree, 80);
        renameSome(tree, 15);
        deleteSome(tree, 2);
        sync.sync(tree.files());
      }
    }
    cluster.links().reset();
    cluster.links().heal();
    touchSome(tree, 100);
    sync.sync(tree.files());
    Await.until(
        "a snapshot taken in by the member that was cut off",
        CATCH_UP,
        () -> DataDirectory.of(cluster, lagging).liveStore() > store);
    return lagging;
  }

  private void touchSome(FileTree tree, int count) {
    for (String name : some(tree, count)) {
      changes++;
      tree.append(name, "change " + changes + "\n");
    }
  }

  private void renameSome(FileTree tree, int count) {
    for (String name : some(tree, count)) {
      changes++;
      tree.rename(name, "moved/" + changes + "/" + Path.of(name).getFileName());
    }
  }

  private void deleteSome(FileTree tree, int count) {
    some(tree, count).forEach(tree::delete);
  }

  /** Distinct names; the large files are left alone, so that the history stays small. */
  private List<String> some(FileTree tree, int count) {
    List<String> names =
        tree.files().keySet().stream().filter(name -> !name.startsWith("large/")).toList();
    return random.ints(0, names.size()).distinct().limit(count).mapToObj(names::get).toList();
  }

  private ByteString noise(int bytes) {
    byte[] content = new byte[bytes];
    random.nextBytes(content);
    return ByteString.copyFrom(content);
  }

  private static CompletableFuture<Void> inBackground(Runnable work) {
    return CompletableFuture.runAsync(
        work,
        task -> {
          Thread thread = new Thread(task, "it-tree-sync");
          thread.setDaemon(true);
          thread.start();
        });
  }

  private static boolean inTree(Event event) {
    return event.getKv().getKey().toStringUtf8().startsWith(PREFIX);
  }

  private static Map<String, ByteString> stored(Replicas.State state) {
    Map<String, ByteString> files = new HashMap<>();
    for (KeyValue pair : state.pairs()) {
      files.put(pair.getKey().toStringUtf8().substring(PREFIX.length()), pair.getValue());
    }
    return files;
  }

  private static void assertNothingLost(EventLog log, List<TreeSync.Change> acknowledged) {
    assertEquals(List.of(), log.faults());
    for (TreeSync.Change change : acknowledged) {
      Optional<ByteString> held =
          log.stateAt(change.key(), change.revision()).map(KeyValue::getValue);
      assertEquals(change.content(), held, change::key);
      assertTrue(
          log.at(change.revision()).stream()
              .anyMatch(event -> event.getKv().getKey().toStringUtf8().equals(change.key())),
          change::key);
    }
  }
}
