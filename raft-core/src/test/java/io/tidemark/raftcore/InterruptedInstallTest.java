package io.tidemark.raftcore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.tidemark.mvcc.MvccLimits;
import io.tidemark.mvcc.MvccStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A member that died in the middle of taking in a snapshot: its directory is put into every state
 * that it passes through, and each time a real member starts on it and catches up.
 */
class InterruptedInstallTest {
  /** How far an install got, in its order; each state contains those before it. */
  private enum Step {
    /** Half of the files came, the last of them not whole. */
    HALF_RECEIVED,
    /** All files came, into a directory of the transfer's own. */
    RECEIVED,
    /** The directory of snapshots is moved aside, and there is none. */
    OLD_ASIDE,
    /** What was received is the directory of snapshots now. */
    RENAMED,
    /** What was moved aside is deleted. */
    OLD_DELETED,
    /** The log before the snapshot is gone. */
    PURGED,
    /** Half of the files are in the new store's directory. */
    HALF_COPIED,
    /** All of them are. */
    COPIED,
    /** The new store was opened. */
    OPENED,
    /** The pointer to it is written, but not in place. */
    POINTER_WRITTEN,
    /** The new store is the live one. */
    SWAPPED,
    /** The old one is deleted. */
    RETIRED
  }

  @TempDir Path directory;

  @Test
  void aMemberStartsFromEveryStepOfAnInstallAndCatchesUp() throws Exception {
    try (TestCluster cluster =
        new TestCluster(directory.resolve("members"), 3, 1 << 20, SnapshotTest.SMALL).startAll()) {
      int leader = cluster.awaitLeader(-1);
      int victim = (leader + 1) % 3;
      cluster.putNow(leader, "early", "e");
      cluster.awaitRevision(victim, 2);
      cluster.stop(victim);
      cluster.start(victim); // leaves a snapshot of its own
      cluster.stop(victim);
      Path home = cluster.directoryOf(victim);
      Path behind = directory.resolve("behind");
      copy(home, behind);
      ByteString value = ByteString.copyFrom(new byte[4 << 10]);
      for (int n = 0; n < 120; n++) {
        TestCluster.revision(cluster.put(leader, "k" + n % 10, value).get(20, TimeUnit.SECONDS));
      }
      Path snapshot = directory.resolve("snapshot");
      Path newest = newestSnapshot(cluster.directoryOf(leader));
      copy(newest, snapshot.resolve(newest.getFileName()));

      long revision = cluster.member(leader).revision();
      for (Step step : Step.values()) {
        delete(home);
        copy(behind, home);
        leaveAt(step, home, snapshot);
        cluster.start(victim);
        cluster.awaitRevision(victim, revision);
        revision = cluster.putNow(victim, "after " + step, "a");
        cluster.awaitRevision(leader, revision);
        assertEquals(cluster.digest(leader), cluster.digest(victim), step::name);
        assertOnlyTheLiveStoreIsLeft(home, step);
        cluster.stop(victim);
        assertEquals(List.of(), List.copyOf(cluster.faults), step::name);
      }
    }
  }

  private static void leaveAt(Step last, Path home, Path snapshot) throws IOException {
    Path group = group(home);
    Path sm = group.resolve("sm");
    Path aside = group.resolve("sm.tmp20260101-000000");
    Path received = group.resolve("tmp/snapshot-1");
    Path kv = home.resolve("member/kv");
    Path fresh = kv.resolve("store-2");
    for (Step step : Step.values()) {
      switch (step) {
        case HALF_RECEIVED -> copyHalf(snapshot, received);
        case RECEIVED -> {
          copy(snapshot, received);
          digestFilesBeside(received);
        }
        case OLD_ASIDE -> Files.move(sm, aside);
        case RENAMED -> Files.move(received, sm);
        case OLD_DELETED -> delete(aside);
        case PURGED -> deleteLog(group);
        case HALF_COPIED -> copyHalf(onlySnapshot(sm), fresh);
        case COPIED -> copy(onlySnapshot(sm), fresh);
        case OPENED -> MvccStore.open(fresh, MvccLimits.defaults()).close();
        case POINTER_WRITTEN -> Files.writeString(kv.resolve("CURRENT.new"), "store-2\n");
        case SWAPPED -> Files.writeString(kv.resolve("CURRENT"), "store-2\n");
        case RETIRED -> delete(kv.resolve("store-1"));
      }
      if (step == last) {
        return;
      }
    }
  }

  private static void assertOnlyTheLiveStoreIsLeft(Path home, Step step) throws IOException {
    Path kv = home.resolve("member/kv");
    String live = Files.readString(kv.resolve("CURRENT")).strip();
    assertTrue(!live.equals("store-1"), () -> step + ": still on " + live);
    TestCluster.await(
        step + ": other stores deleted",
        () -> names(kv).filter(name -> name.startsWith("store-")).toList().equals(List.of(live)));
    assertEquals(List.of(), names(group(home)).filter(name -> name.startsWith("sm.tmp")).toList());
  }

  private static Path newestSnapshot(Path home) {
    Path sm = group(home).resolve("sm");
    return names(sm)
        .max(
            Comparator.comparingLong(name -> Long.parseLong(name.substring(name.indexOf('_') + 1))))
        .map(sm::resolve)
        .orElseThrow();
  }

  private static Path onlySnapshot(Path sm) {
    return sm.resolve(names(sm).findFirst().orElseThrow());
  }

  private static Path group(Path home) {
    Path raft = home.resolve("member/raft");
    return raft.resolve(names(raft).findFirst().orElseThrow());
  }

  private static void digestFilesBeside(Path received) throws IOException {
    for (Path file : files(received)) {
      Files.writeString(file.resolveSibling(file.getFileName() + ".md5"), "0 *x\n");
    }
  }

  private static void deleteLog(Path group) throws IOException {
    for (Path file : files(group.resolve("current"))) {
      if (file.getFileName().toString().startsWith("log_")) {
        Files.delete(file);
      }
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    for (Path file : files(from)) {
      Path target = to.resolve(from.relativize(file).toString());
      Files.createDirectories(target.getParent());
      Files.write(target, Files.readAllBytes(file));
    }
  }

  private static void copyHalf(Path from, Path to) throws IOException {
    List<Path> files = files(from);
    for (Path file : files.subList(0, files.size() / 2 + 1)) {
      Path target = to.resolve(from.relativize(file).toString());
      Files.createDirectories(target.getParent());
      byte[] content = Files.readAllBytes(file);
      Files.write(target, Arrays.copyOf(content, content.length / 2));
    }
  }

  private static void delete(Path tree) throws IOException {
    try (Stream<Path> paths = Files.walk(tree)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  private static List<Path> files(Path tree) throws IOException {
    try (Stream<Path> paths = Files.walk(tree)) {
      return paths.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static Stream<String> names(Path directory) {
    try (Stream<Path> children = Files.list(directory)) {
      return children.map(child -> child.getFileName().toString()).sorted().toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
