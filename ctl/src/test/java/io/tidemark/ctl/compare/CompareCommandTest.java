package io.tidemark.ctl.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class CompareCommandTest {
  private final StringWriter out = new StringWriter();
  private final CommandLine line =
      CompareMain.commandLine()
          .setOut(new PrintWriter(out, true))
          .setErr(new PrintWriter(new StringWriter(), true));

  @Test
  void rowsAreChosenByNameForEveryWayThrough() {
    assertEquals(0, line.execute("--list", "--rows=put-1,watch-fanout", "--through=leader,spread"));
    assertEquals(
        "put-1 via leader\nwatch-fanout via leader\nput-1 via spread\nwatch-fanout via spread\n",
        out.toString());
  }

  @Test
  void mistakesAreUsageErrors() {
    assertEquals(2, line.execute("--list", "--rows=put-2"));
    assertEquals(2, line.execute("--list", "--etcd-only", "--tidemark-only"));
    assertEquals(2, line.execute("--through=nobody"));
  }

  @Test
  void everybodyGetsTheSameFlags() {
    assertEquals(
        List.of(
            "prog",
            "--name",
            "m1",
            "--data-dir",
            "/d/m1",
            "--listen-client-urls",
            "http://127.0.0.1:26001",
            "--advertise-client-urls",
            "http://127.0.0.1:26001",
            "--listen-peer-urls",
            "http://127.0.0.1:26011",
            "--initial-advertise-peer-urls",
            "http://127.0.0.1:26011",
            "--initial-cluster",
            "m0=http://127.0.0.1:26010,m1=http://127.0.0.1:26011,m2=http://127.0.0.1:26012",
            "--initial-cluster-state",
            "new",
            "--initial-cluster-token",
            "compare-26000",
            "--more"),
        LocalCluster.command(
            new Contender("x", "prog"), Path.of("/d"), 26000, 1, List.of("--more"), false));
  }

  @Test
  void securedMembersTalkTlsToClients() {
    List<String> command =
        LocalCluster.command(new Contender("x", "prog"), Path.of("/d"), 26000, 1, List.of(), true);
    assertTrue(
        command.containsAll(
            List.of("--auto-tls", "https://127.0.0.1:26001", "http://127.0.0.1:26011")),
        command::toString);
  }
}
