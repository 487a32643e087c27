package io.tidemark.it.drills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.it.process.Command;
import io.tidemark.it.process.Command.Ended;
import io.tidemark.it.process.Command.Running;
import io.tidemark.it.process.Ports;
import io.tidemark.it.process.Product;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code scripts/tidemark}, as a service manager uses it. */
@Tag("drills")
class LauncherIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String READY = "ready to serve client requests";

  @TempDir Path directory;

  private static Command tidemark(String... flags) {
    return Command.of(Product.script("tidemark").toString()).with(flags);
  }

  /** A Java that isn't there is not missed. */
  @Test
  void versionNeedsNoJvm() {
    Ended ended = tidemark("--version").env(Map.of("TIDEMARK_JAVA_HOME", "/nowhere")).run(LIMIT);
    assertEquals(0, ended.code(), ended::all);
    assertEquals(
        List.of("etcd Version: 3.7.1", "Tidemark Version: 0.1.0"), ended.out().lines().toList());
    Ended older = tidemark("-version").env(Map.of("ETCD_COMPAT_VERSION", "3.6.14")).run(LIMIT);
    assertEquals("etcd Version: 3.6.14", older.out().lines().findFirst().orElseThrow());
  }

  @Test
  void everyMistakeIsNamedAndNothingIsMade() {
    Path data = directory.resolve("data");
    Ended ended =
        tidemark(
                "--data-dir",
                data.toString(),
                "--no-such-flag=1",
                "--heartbeat-interval=fast",
                "--discovery-srv=example.com",
                "-listen-client-urls",
                "ftp://127.0.0.1:1")
            .run(LIMIT);
    assertEquals(2, ended.code(), ended::all);
    for (String mistake :
        List.of(
            "no-such-flag",
            "heartbeat-interval",
            "--discovery-srv is not supported yet",
            "ftp://127.0.0.1:1")) {
      assertTrue(ended.err().contains(mistake), () -> mistake + " in " + ended.all());
    }
    assertFalse(Files.exists(data), "data directory");
  }

  /**
   * On more than two cores there is a collector with threads, a compiler as it comes, and a heap
   * for more under way.
   */
  @Test
  void flagsFollowFromMemoryAndCores() throws IOException {
    List<String> small = flags(2, 1600);
    assertTrue(
        small.containsAll(List.of("-Xmx400m", "-XX:MaxDirectMemorySize=200m")), small::toString);
    assertTrue(small.contains("-XX:+UseSerialGC"), small::toString);
    assertTrue(small.contains("-XX:Tier4InvocationThreshold=50000"), small::toString);
    assertTrue(flags(2, 500).contains("-Xmx256m"));
    assertTrue(flags(2, 64_000).contains("-Xmx512m"));
    List<String> large = flags(8, 64_000);
    assertTrue(large.containsAll(List.of("-Xmx2048m", "-XX:+UseG1GC")), large::toString);
    assertTrue(large.stream().noneMatch(flag -> flag.contains("Tier4")), large::toString);
    assertTrue(flags(8, 4_000).contains("-Xmx1000m"));
    List<String> quota = flags(8, 4_000, "250000 100000");
    assertTrue(quota.containsAll(List.of("-Xmx768m", "-XX:+UseG1GC")), quota::toString);
  }

  private List<String> flags(int cores, int mib) throws IOException {
    return flags(cores, mib, "max 100000");
  }

  private List<String> flags(int cores, int mib, String quota) throws IOException {
    Path machine = Files.createDirectories(directory.resolve("machine"));
    Path nproc = Files.writeString(machine.resolve("nproc"), "#!/bin/sh\necho " + cores + "\n");
    assertTrue(nproc.toFile().setExecutable(true));
    Files.writeString(machine.resolve("meminfo"), "MemTotal:  " + mib * 1024L + " kB\n");
    Files.writeString(machine.resolve("cpu.max"), quota + "\n");
    Files.writeString(machine.resolve("memory.max"), "max\n");
    Map<String, String> there =
        Map.of(
            "TIDEMARK_SHOW_FLAGS",
            "1",
            "CGROUP",
            machine.toString(),
            "MEMINFO",
            machine.resolve("meminfo").toString(),
            "PATH",
            machine + ":" + System.getenv("PATH"));
    Ended ended = tidemark().env(there).run(LIMIT);
    assertEquals(0, ended.code(), ended::all);
    return ended.out().lines().toList();
  }

  /** A JVM may take an archive's classes without looking at the jars that they came from. */
  @Test
  void anArchiveOfOtherJarsIsNotUsed() throws IOException {
    Path scripts = Files.createDirectories(directory.resolve("checkout/scripts"));
    Files.copy(Product.script("common.sh"), scripts.resolve("common.sh"));
    Path lib = Files.createDirectories(directory.resolve("checkout/server/target/dist/lib"));
    Path jar = Files.writeString(lib.resolve("a.jar"), "one");
    Files.setLastModifiedTime(jar, FileTime.fromMillis(1_000_000));
    String first = archiveFile(scripts);
    assertEquals(first, archiveFile(scripts));
    Files.setLastModifiedTime(jar, FileTime.fromMillis(2_000_000));
    String rebuilt = archiveFile(scripts);
    assertNotEquals(first, rebuilt);
    Files.writeString(lib.resolve("b.jar"), "two");
    assertNotEquals(rebuilt, archiveFile(scripts));
  }

  private static String archiveFile(Path scripts) {
    Ended ended =
        Command.of("bash", "-c", ". \"$0\"/common.sh; JDK_VERSION=25.0.3; archive_file server")
            .with(scripts.toString())
            .run(LIMIT);
    assertEquals(0, ended.code(), ended::all);
    return ended.out();
  }

  /** A rebuild replaces what is in the build directory; no member may depend on that. */
  private static void assertRunsFromACopy(Process member) throws IOException {
    Path line = Path.of("/proc", Long.toString(member.pid()), "cmdline");
    List<String> words = List.of(Files.readString(line).split("\0", -1));
    String classPath = words.get(words.indexOf("-cp") + 1);
    Path runtimes = Product.checkout().resolve(".runtime");
    for (String jar : classPath.split(":", -1)) {
      assertTrue(Path.of(jar).startsWith(runtimes), jar);
      assertTrue(Files.exists(Path.of(jar)), jar);
    }
    Path user = Path.of(classPath.split(":", -1)[0]).resolveSibling("users/" + member.pid());
    assertTrue(Files.exists(user), user::toString);
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }

  /** The file rules: flags and environment beside it are passed over. */
  @Test
  void fileConfiguresAMember() throws Exception {
    List<Integer> ports = Ports.free(2);
    String client = "http://127.0.0.1:" + ports.get(0);
    String peer = "http://127.0.0.1:" + ports.get(1);
    Path temporary = Files.createDirectory(directory.resolve("tmp"));
    Path file = directory.resolve("member.yaml");
    Files.writeString(
        file,
        """
        name: filed
        data-dir: %s
        listen-client-urls: %s
        advertise-client-urls: %s
        listen-peer-urls: %s
        initial-advertise-peer-urls: %s
        initial-cluster: filed=%s
        """
            .formatted(directory.resolve("data"), client, client, peer, peer, peer));
    try (Running member =
        tidemark("--config-file=" + file, "--name=passed-over")
            .env(
                Map.of(
                    "ETCD_DATA_DIR",
                    directory.resolve("passed-over").toString(),
                    "TIDEMARK_JVM_FLAGS",
                    "-Djava.io.tmpdir=" + temporary))
            .start(directory.resolve("member.log"))) {
      member.output().awaitLine("ready", line -> line.contains(READY), LIMIT);
      assertFalse(Files.exists(directory.resolve("passed-over")));
      assertRunsFromACopy(member.process());
      assertEquals(List.of(), list(temporary), "what a killed member would leave behind");
      member.process().destroy();
      assertTrue(member.process().waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS), "ends");
      assertEquals(143, member.process().exitValue());
    }
  }

  /** What a former member wrote is put aside under etcd's name for it; the log goes on. */
  @Test
  void aFullLogIsPutAside() throws Exception {
    List<Integer> ports = Ports.free(2);
    String client = "http://127.0.0.1:" + ports.get(0);
    String peer = "http://127.0.0.1:" + ports.get(1);
    Path logs = Files.createDirectory(directory.resolve("logs"));
    Path log = Files.writeString(logs.resolve("m.log"), "x".repeat(1 << 20));
    try (Running member =
        tidemark(
                "--name=m",
                "--data-dir=" + directory.resolve("m"),
                "--listen-client-urls=" + client,
                "--advertise-client-urls=" + client,
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=m=" + peer,
                "--log-outputs=" + log + ",stderr",
                "--enable-log-rotation",
                "--log-rotation-config-json={\"maxsize\": 1}")
            .start(directory.resolve("member.log"))) {
      member.output().awaitLine("ready", line -> line.contains(READY), LIMIT);
      assertTrue(Files.readString(log).contains(READY), "the line stands in the file too");
      List<Path> aside = list(logs).stream().filter(file -> !file.equals(log)).toList();
      assertEquals(1, aside.size(), aside::toString);
      String name = aside.get(0).getFileName().toString();
      assertTrue(name.matches("m-\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\d\\.\\d{3}\\.log"), name);
      assertEquals(1 << 20, Files.size(aside.get(0)));
    }
  }
}
