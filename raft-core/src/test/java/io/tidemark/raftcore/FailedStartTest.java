package io.tidemark.raftcore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whichever step of a start fails, nothing stays open: no thread runs on, and the next start in the
 * same JVM finds store, log and port free.
 */
@Timeout(60)
final class FailedStartTest {
  @TempDir Path directory;

  /** Each file is needed by another step, in their order. */
  @ParameterizedTest
  @ValueSource(
      strings = {"owner", "kv/CURRENT", "kv/store-1/CURRENT", "raft-meta", "incarnation", "log"})
  void nothingStaysOpen(String damaged) throws Exception {
    try (TestCluster cluster = new TestCluster(directory, 1).startAll()) {
      long revision = cluster.putNow(0, "k", "1");
      cluster.stop(0);
      Path file = find(cluster.directoryOf(0).resolve("member"), damaged);
      byte[] whole = Files.readAllBytes(file);
      Files.write(file, "damaged\n".getBytes(StandardCharsets.US_ASCII));

      String name = cluster.founders().get(0).name();
      TestCluster.await("the end of the run before", () -> threadsOf(name).isEmpty());
      assertThrows(Exception.class, () -> cluster.start(0));
      TestCluster.await("the end of all threads", () -> threadsOf(name).isEmpty());

      Files.write(file, whole);
      cluster.start(0);
      TestCluster.await("what was written before", () -> cluster.member(0).revision() == revision);
      assertEquals(revision + 1, cluster.putNow(0, "k", "2"));
      assertEquals(List.of(), List.copyOf(cluster.faults));
    }
  }

  private static Path find(Path member, String name) throws Exception {
    try (Stream<Path> files = Files.walk(member)) {
      return files
          .filter(Files::isRegularFile)
          .filter(
              file ->
                  name.equals("log")
                      ? file.getFileName().toString().startsWith("log_")
                      : file.endsWith(name))
          .findFirst()
          .orElseThrow(() -> new AssertionError("no " + name));
    }
  }

  private static List<String> threadsOf(String member) {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(thread -> thread.startsWith("tidemark-" + member + "-"))
        .sorted()
        .toList();
  }
}
