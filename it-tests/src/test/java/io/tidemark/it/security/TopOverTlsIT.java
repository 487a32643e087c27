package io.tidemark.it.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.process.Authority;
import io.tidemark.it.process.Command;
import io.tidemark.it.process.Command.Ended;
import io.tidemark.it.process.MemberSpec;
import io.tidemark.it.process.Ports;
import io.tidemark.it.process.Product;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.support.Clusters;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code tidemarkctl top} of three members that demand certificates and users. */
@Tag("security")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TopOverTlsIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @RegisterExtension static final Clusters CLUSTERS = Clusters.perClass();

  @TempDir static Path directory;

  private static Authority authority;
  private static Authority.Identity operator;
  private static ProcessCluster cluster;
  private static List<String> endpoints;

  /** Besides the rig's own plain ports they listen on those that are told to others. */
  @BeforeAll
  static void start() {
    assumeTrue(Product.underTest() == Product.TIDEMARK, "ours only");
    authority = new Authority(directory.resolve("ours"), "ours");
    operator = authority.sign("operator");
    Authority.Identity server = authority.sign("server");
    cluster = CLUSTERS.start(ClusterPlan.of(3).flags("--bcrypt-cost=4"));
    endpoints = Ports.free(3).stream().map(port -> "https://127.0.0.1:" + port).toList();
    for (int i = 0; i < 3; i++) {
      MemberSpec spec = cluster.member(i).spec();
      List<String> flags = new ArrayList<>(spec.flags());
      flags.add("--listen-client-urls=" + spec.clientUrl() + "," + endpoints.get(i));
      flags.add("--advertise-client-urls=" + endpoints.get(i));
      flags.add("--cert-file=" + server.certificate());
      flags.add("--key-file=" + server.key());
      flags.add("--trusted-ca-file=" + authority.certificate());
      flags.add("--client-cert-auth");
      cluster.kill(i);
      cluster.member(i).respec(spec.among(spec.initialCluster(), flags));
      cluster.restart(i);
    }
    MemberClient client = cluster.client(0);
    Accounts.user(client, "root", "root");
    Accounts.user(client, "viewer");
    Accounts.user(client, "operator");
    Accounts.enable(client);
  }

  private static Command top(String... words) {
    return Command.of(Product.script("tidemarkctl").toString())
        .with("--cert=" + operator.certificate(), "--key=" + operator.key())
        .with("--command-timeout=30s")
        .with(words)
        .with("top", "--once", "--interval=200ms", "-w", "json");
  }

  private static String everywhere() {
    return "--endpoints=" + String.join(",", endpoints);
  }

  private static String trusted() {
    return "--cacert=" + authority.certificate();
  }

  private static List<JsonObject> members(int code, Command command) {
    Ended ended = command.run(LIMIT);
    assertEquals(code, ended.code(), ended::all);
    List<JsonObject> rows = new ArrayList<>();
    for (JsonElement row :
        JsonParser.parseString(ended.out()).getAsJsonObject().getAsJsonArray("members")) {
      rows.add(row.getAsJsonObject());
    }
    return rows;
  }

  private static List<String> told(List<JsonObject> members, String name) {
    return members.stream().map(member -> member.get(name).getAsString()).toList();
  }

  /** What only the page of a member tells is there, so it was read. */
  private static void showsEverything(JsonObject member) {
    for (String name : List.of("lag_entries", "writes_per_second", "reads_per_second")) {
      assertTrue(member.get(name).getAsDouble() >= 0, member::toString);
    }
    assertEquals(0, member.getAsJsonObject("watchers").get("victims").getAsInt());
    assertEquals(0, member.getAsJsonArray("errors").size(), member::toString);
  }

  @Test
  @Order(1)
  void everyMemberIsShown() {
    List<JsonObject> rows =
        members(
            0,
            top(trusted(), "--user=viewer:viewer", "--endpoints=" + endpoints.get(0))
                .with("--cluster"));
    assertEquals(Set.copyOf(endpoints), Set.copyOf(told(rows, "endpoint")));
    assertEquals(
        List.of("follower", "follower", "leader"), told(rows, "role").stream().sorted().toList());
    rows.forEach(TopOverTlsIT::showsEverything);
  }

  /** The certificate's name is the user; the servers' certificates are taken as they are. */
  @Test
  @Order(1)
  void withoutATrustedAuthority() {
    String where = "--endpoints=" + endpoints.get(1);
    showsEverything(members(0, top("--insecure-skip-tls-verify", where)).get(0));
    JsonObject untrusted = members(1, top(where)).get(0);
    assertEquals("down", untrusted.get("role").getAsString());
  }

  @Test
  @Order(1)
  void aWrongPasswordIsSaidOfEveryMember() {
    List<JsonObject> rows = members(1, top(trusted(), "--user=viewer:wrong", everywhere()));
    assertEquals(List.of("down", "down", "down"), told(rows, "role"));
    for (JsonObject row : rows) {
      assertEquals(
          "[\"etcdserver: authentication failed, invalid user ID or password\"]",
          row.getAsJsonArray("errors").toString());
    }
  }

  @Test
  @Order(1)
  void statusKnowsTheLag() {
    Ended ended =
        Command.of(Product.script("tidemarkctl").toString())
            .with("--cert=" + operator.certificate(), "--key=" + operator.key(), trusted())
            .with("--user=viewer:viewer", everywhere(), "endpoint", "status")
            .run(LIMIT);
    assertEquals(0, ended.code(), ended::all);
    List<String> lines = ended.out().lines().toList();
    assertEquals(3, lines.size(), ended::all);
    for (String line : lines) {
      assertTrue(line.matches("https://.*, \\d+, [0-9.]+(ms|s|µs)"), line);
    }
  }

  /** Nobody can log in there; the others are shown as before. */
  @Test
  @Order(2)
  void aMemberThatIsDownIsARow() {
    Command top = top(trusted(), "--user=viewer:viewer", everywhere());
    int gone = told(members(0, top), "role").indexOf("follower");
    cluster.kill(gone);
    List<JsonObject> rows = members(0, top(trusted(), "--user=viewer:viewer", everywhere()));
    assertEquals(endpoints, told(rows, "endpoint"));
    for (int i = 0; i < 3; i++) {
      if (i == gone) {
        assertEquals("down", rows.get(i).get("role").getAsString());
      } else {
        showsEverything(rows.get(i));
      }
    }
  }
}
