package io.tidemark.it.drills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.it.process.Command;
import io.tidemark.it.process.Command.Ended;
import io.tidemark.it.process.Ports;
import io.tidemark.it.process.Product;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.support.Clusters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The {@code sh} blocks of the README and of the pages, each page as one script, as they stand
 * there but for the ports: those of {@code scripts/cluster} are replaced by free ones. What a
 * {@code text} block behind one of them shows is printed, in this order, numbers aside. Those that
 * a newcomer reads run with the console, the others with the drills.
 */
@Timeout(value = 7, unit = TimeUnit.MINUTES)
class DocumentedCommandsIT {
  private static final Duration LIMIT = Duration.ofMinutes(6);
  private static final Pattern BLOCK =
      Pattern.compile("(?ms)^```sh\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?");

  /** Ids, numbers with what belongs to them, and who happens to lead, differ from run to run. */
  private static final Pattern ID = Pattern.compile("\\b(?=[a-f]*\\d)[0-9a-f]{12,16}\\b");

  private static final Pattern NUMBER = Pattern.compile("\\d[\\d.]*");
  private static final Pattern EITHER = Pattern.compile("\\b(true|false)\\b");
  private static final Pattern FILLING = Pattern.compile("[-\\s]+");

  @RegisterExtension final Clusters clusters = Clusters.perTest();
  @TempDir Path directory;
  private int base;

  @BeforeEach
  void choosePorts() {
    assumeTrue(Product.underTest() == Product.TIDEMARK, "ours only");
    base = Ports.block(50);
  }

  @AfterEach
  void leaveNothingRunning() throws IOException {
    try (var children = Files.list(directory)) {
      for (Path data : children.filter(d -> Files.exists(d.resolve("cluster.conf"))).toList()) {
        Command.of(Product.script("cluster").toString(), "down", "--data", data.toString())
            .run(LIMIT);
      }
    }
  }

  @Tag("console")
  @Test
  void readme() throws IOException {
    run("../README.md", Map.of());
  }

  @Tag("console")
  @Test
  void tour() throws IOException {
    run("tour.md", Map.of());
  }

  @Tag("drills")
  @Test
  void operations() throws IOException {
    Ended ended = run("operations.md", Map.of());
    assertTrue(ended.out().contains("Snapshot saved at backup.db\n"), ended::all);
  }

  @Tag("drills")
  @Test
  void membership() throws IOException {
    Ended ended = run("membership.md", Map.of());
    assertTrue(ended.out().contains(", started, n4, "), ended::all);
  }

  @Tag("drills")
  @Test
  void disasterRecovery() throws IOException {
    Ended ended = run("disaster-recovery.md", Map.of());
    assertTrue(ended.out().contains("\ngreeting\nhello\n"), ended::all);
  }

  @Tag("drills")
  @Test
  void migratingFromEtcd() throws IOException {
    ProcessCluster etcd = clusters.start(ClusterPlan.of(1, Product.ETCD));
    etcd.client(0).put("greeting", "hello").answer();
    Ended ended = run("migrating-from-etcd.md", Map.of("127.0.0.1:12379", etcd.endpoint(0)));
    assertTrue(ended.out().contains("\ngreeting\nhello\n"), ended::all);
    assertTrue(Files.exists(directory.resolve("back.etcd/member/snap/db")));
  }

  private Ended run(String page, Map<String, String> more) throws IOException {
    String text = Files.readString(Product.checkout().resolve("docs").resolve(page));
    List<MatchResult> blocks = BLOCK.matcher(text).results().toList();
    String script = blocks.stream().map(block -> block.group(1)).collect(Collectors.joining());
    for (Map.Entry<String, String> replaced : more.entrySet()) {
      script = script.replace(replaced.getKey(), replaced.getValue());
    }
    script = onFreePorts(script).replace("scripts/", Product.checkout() + "/scripts/");
    Ended ended =
        Command.of(List.of("bash", "-euo", "pipefail", "-c", "exec 2>&1\n" + script))
            .env(Map.of("TIDEMARKCTL_ENDPOINTS", "127.0.0.1:" + base))
            .in(directory)
            .run(LIMIT);
    assertEquals(0, ended.code(), ended::all);
    for (MatchResult block : blocks) {
      if (block.group(2) != null) {
        assertShown(block.group(2), ended);
      }
    }
    return ended;
  }

  private static void assertShown(String output, Ended ended) {
    Iterator<String> printed = ended.out().lines().map(DocumentedCommandsIT::plain).iterator();
    for (String line : output.lines().toList()) {
      boolean found = false;
      while (!found && printed.hasNext()) {
        found = printed.next().equals(plain(line));
      }
      assertTrue(found, () -> "not printed, or not in this order: " + line + "\n" + ended.all());
    }
  }

  private static String plain(String line) {
    String text = ID.matcher(line).replaceAll("#");
    text = NUMBER.matcher(text).replaceAll("#");
    text = EITHER.matcher(text).replaceAll("#");
    return FILLING.matcher(text).replaceAll(" ").strip();
  }

  private String onFreePorts(String script) {
    String ported =
        Pattern.compile("127\\.0\\.0\\.1:([2-5]?)(23(?:79|80))\\b")
            .matcher(script)
            .replaceAll(port -> Matcher.quoteReplacement("127.0.0.1:" + free(port)));
    return ported.replace("scripts/cluster up", "scripts/cluster up --base-port " + base);
  }

  private int free(MatchResult port) {
    int member = port.group(1).isEmpty() ? 0 : Integer.parseInt(port.group(1)) - 1;
    return base + 10 * member + (port.group(2).equals("2380") ? 1 : 0);
  }
}
