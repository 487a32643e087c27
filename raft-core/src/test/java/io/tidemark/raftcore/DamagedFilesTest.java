package io.tidemark.raftcore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.raftcore.settings.RaftLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A member whose files are damaged or not all there refuses to start, says what to do, and changes
 * nothing: with the files put back it goes on.
 */
class DamagedFilesTest {
  private static final int WRITES_MIN = 40;
  private static final int WRITES_MAX = 2_000;
  private static final String WHAT_TO_DO =
      "nothing was changed. If files were lost or altered by accident, put the very same files back; else"
          + " remove this member from the cluster and add it again with an empty data directory; never"
          + " start it on an older copy of its files";

  @TempDir Path directory;
  private TestCluster cluster;
  private Path member;
  private int writes;

  @BeforeEach
  void write() throws Exception {
    RaftLimits small = RaftLimits.defaults(1 << 20).withSnapshotEntries(15);
    RaftLimits limits =
        new RaftLimits(
            4096,
            4096,
            1,
            small.snapshotBytes(),
            15,
            small.batchBytes(),
            small.maxBatchesInFlight(),
            small.inFlightBytes(),
            small.queueBytes());
    cluster = new TestCluster(directory, 1, 1 << 20, limits).startAll();
    member = cluster.directoryOf(0).resolve("member");
    while (writes < WRITES_MIN || !beginIsGone()) {
      cluster.putNow(0, "k" + writes++, "v".repeat(300));
      assertTrue(writes < WRITES_MAX, "the begin of the log stays");
    }
    cluster.stop(0);
  }

  private boolean beginIsGone() {
    try {
      List<Path> closed = segments(name -> name.matches("log_\\d+-\\d+"));
      return closed.size() > 1 && first(closed.get(0)) > 0;
    } catch (IOException | UncheckedIOException moving) {
      return false;
    }
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  /** Files of the log by name, oldest first. */
  private List<Path> segments(Predicate<String> wanted) throws IOException {
    try (Stream<Path> files = Files.walk(member.resolve("raft"))) {
      return files
          .filter(file -> wanted.test(file.getFileName().toString()))
          .sorted((a, b) -> Long.compare(first(a), first(b)))
          .toList();
    }
  }

  private static long first(Path segment) {
    return Long.parseLong(segment.getFileName().toString().split("[_-]")[1]);
  }

  private Path closedSegment() throws IOException {
    List<Path> closed = segments(name -> name.matches("log_\\d+-\\d+"));
    assertTrue(closed.size() > 1, closed::toString);
    return closed.get(closed.size() - 1); // the open one follows it
  }

  private void refusesWithout(Path file, String reason) throws Exception {
    Path aside = directory.resolve("aside");
    Files.move(file, aside);
    refuses(reason);
    if (Files.isDirectory(file)) {
      deleteTree(file); // the empty one that a start makes
    }
    Files.move(aside, file, StandardCopyOption.REPLACE_EXISTING);
    goesOn();
  }

  private static void deleteTree(Path tree) throws IOException {
    try (Stream<Path> all = Files.walk(tree)) {
      for (Path path : all.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(path);
      }
    }
  }

  private void refuses(String reason) {
    UncheckedIOException refusal = assertThrows(UncheckedIOException.class, () -> cluster.start(0));
    String message = String.valueOf(refusal.getMessage());
    assertTrue(message.contains(reason), message);
    assertTrue(message.contains(WHAT_TO_DO), message);
  }

  private void goesOn() throws Exception {
    cluster.startAll();
    assertEquals("v".repeat(300), cluster.read(0, "k0"));
    assertEquals("v".repeat(300), cluster.read(0, "k" + (writes - 1)));
    assertEquals(writes + 2, cluster.putNow(0, "more", "x"));
  }

  @Test
  void logThatIsGone() throws Exception {
    refusesWithout(member.resolve("raft"), "there was a log, and now there is no ");
  }

  @Test
  void segmentThatIsGone() throws Exception {
    refusesWithout(closedSegment(), "Found a gap between logs");
  }

  @Test
  void storeThatIsGoneIsMadeAgainFromTheSnapshot() throws Exception {
    deleteTree(member.resolve("kv"));
    goesOn();
  }

  @Test
  void storeAndSnapshotsThatAreGone() throws Exception {
    for (Path snapshot : snapshots()) {
      deleteTree(snapshot);
    }
    Path aside = directory.resolve("aside");
    Files.move(member.resolve("kv"), aside);
    refuses("the log begins with entry ");
    deleteTree(member.resolve("kv")); // the empty one that a start makes
    Files.move(aside, member.resolve("kv"));
    goesOn();
  }

  private List<Path> snapshots() throws IOException {
    try (Stream<Path> files = Files.walk(member.resolve("raft"))) {
      return files.filter(file -> file.endsWith("sm")).toList();
    }
  }

  @Test
  void pointerToTheStoreThatIsGone() throws Exception {
    refusesWithout(member.resolve("kv").resolve("CURRENT"), "that says which one is live");
  }

  @Test
  void oneBitOfAClosedSegment() throws Exception {
    refusesWithOneBitChanged(closedSegment(), 100, "Log entry corrupted");
  }

  @Test
  void oneBitOfTheNewestRecord() throws Exception {
    Path open = segments(name -> name.startsWith("log_inprogress_")).get(0);
    refusesWithOneBitChanged(open, 100, "Log entry corrupted");
  }

  private void refusesWithOneBitChanged(Path file, int at, String reason) throws Exception {
    byte[] bytes = Files.readAllBytes(file);
    byte[] damaged = bytes.clone();
    damaged[at] ^= 1;
    Files.write(file, damaged);
    refuses(reason);
    Files.write(file, bytes);
    goesOn();
  }
}
