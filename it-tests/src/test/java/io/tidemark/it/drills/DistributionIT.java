package io.tidemark.it.drills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.it.process.Command;
import io.tidemark.it.process.Command.Ended;
import io.tidemark.it.process.Command.Running;
import io.tidemark.it.process.Ports;
import io.tidemark.it.process.Product;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code scripts/dist} makes, used as by somebody who has nothing else. */
@Tag("long")
@Timeout(1800)
class DistributionIT {
  private static final Duration BUILD = Duration.ofMinutes(15);
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String READY = "ready to serve client requests";

  @TempDir static Path directory;
  private static Path home;

  private static Ended run(Duration limit, String... words) {
    Ended ended = Command.of(words).run(limit);
    assertEquals(0, ended.code(), ended::all);
    return ended;
  }

  @BeforeAll
  static void unpack() throws IOException {
    run(BUILD, Product.script("dist").toString());
    Path target = Product.checkout().resolve("dist/target");
    try (Stream<Path> files = Files.list(target)) {
      Path archive =
          files.filter(file -> file.toString().endsWith(".tar.gz")).findFirst().orElseThrow();
      run(LIMIT, "tar", "-xzf", archive.toString(), "-C", directory.toString());
    }
    try (Stream<Path> unpacked = Files.list(directory)) {
      home = unpacked.filter(Files::isDirectory).findFirst().orElseThrow();
    }
  }

  @Test
  void theArchiveRunsAMemberAndAClient() throws Exception {
    run(Duration.ofMinutes(3), home.resolve("bin/train").toString());
    try (Stream<Path> archives = Files.list(home.resolve("archive"))) {
      assertEquals(
          2,
          archives.filter(file -> file.toString().matches(".*\\.(aot|jsa)")).count(),
          "archives");
    }
    serves(Command.of(home.resolve("bin/tidemark").toString()));
  }

  @Test
  void theJarRunsAMember() throws Exception {
    String jar = Product.checkout().resolve("dist/target/tidemark.jar").toString();
    serves(Command.of("java", "-jar", jar));
  }

  private static void serves(Command member) throws Exception {
    List<Integer> ports = Ports.free(2);
    String client = "127.0.0.1:" + ports.get(0);
    Path data = Files.createTempDirectory(directory, "data");
    Command started =
        member.with(
            "--data-dir=" + data,
            "--listen-client-urls=http://" + client,
            "--advertise-client-urls=http://" + client,
            "--listen-peer-urls=http://127.0.0.1:" + ports.get(1),
            "--initial-advertise-peer-urls=http://127.0.0.1:" + ports.get(1),
            "--initial-cluster=default=http://127.0.0.1:" + ports.get(1));
    try (Running running = started.start(data.resolveSibling(data.getFileName() + ".log"))) {
      running.output().awaitLine("ready", line -> line.contains(READY), LIMIT);
      run(LIMIT, home.resolve("bin/healthy").toString(), String.valueOf(ports.get(0)));
      String ctl = home.resolve("bin/tidemarkctl").toString();
      run(LIMIT, ctl, "--endpoints=" + client, "put", "greeting", "hello");
      Ended got = run(LIMIT, ctl, "--endpoints=" + client, "get", "greeting");
      assertEquals("greeting\nhello\n", got.out());
    }
  }

  @Test
  void noticesNameEverybody() throws IOException {
    String notices = Files.readString(home.resolve("THIRD-PARTY.txt"));
    try (Stream<Path> jars = Files.list(home.resolve("lib"))) {
      for (Path jar :
          jars.filter(file -> !file.getFileName().toString().startsWith("tidemark-")).toList()) {
        String name = jar.getFileName().toString().replaceFirst("-\\d.*", "");
        assertTrue(notices.contains(":" + name + ":"), () -> name + " in THIRD-PARTY.txt");
      }
    }
  }

  @Test
  void twoBuildsAreEqual() {
    Ended ended = run(BUILD, Product.script("dist").toString(), "--check");
    assertTrue(ended.all().contains("two builds are equal"), ended::all);
  }
}
