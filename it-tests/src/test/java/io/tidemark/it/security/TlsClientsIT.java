package io.tidemark.it.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.ClientBuilder;
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.process.Authority;
import io.tidemark.it.process.Command;
import io.tidemark.it.process.Command.Ended;
import io.tidemark.it.process.MemberSpec;
import io.tidemark.it.process.Ports;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.support.Clusters;
import io.tidemark.it.support.NodeScripts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Unmodified clients over TLS, with certificates, users and signed tokens: served when all fits,
 * else refused.
 */
@Tag("security")
class TlsClientsIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @RegisterExtension static final Clusters CLUSTERS = Clusters.perClass();

  @TempDir static Path directory;

  private static Authority authority;
  private static Authority.Identity known;
  private static Authority.Identity stranger;
  private static String endpoint;

  /** One member; besides the rig's own plain port it listens on one that demands certificates. */
  @BeforeAll
  static void start() throws IOException {
    authority = new Authority(directory.resolve("ours"), "ours");
    Authority.Identity server = authority.sign("server");
    known = authority.sign("alice");
    stranger = new Authority(directory.resolve("theirs"), "ours").sign("alice");
    ProcessCluster cluster = CLUSTERS.start(ClusterPlan.of(1).flags("--bcrypt-cost=4"));
    int port = Ports.free();
    endpoint = "127.0.0.1:" + port;
    MemberSpec spec = cluster.member(0).spec();
    List<String> flags = new ArrayList<>(spec.flags());
    flags.add("--listen-client-urls=" + spec.clientUrl() + ",https://" + endpoint);
    flags.add("--cert-file=" + server.certificate());
    flags.add("--key-file=" + server.key());
    flags.add("--trusted-ca-file=" + authority.certificate());
    flags.add("--client-cert-auth");
    flags.add(
        "--auth-token=jwt,sign-method=ES256,ttl=10m,priv-key="
            + server.key()
            + ",pub-key="
            + server.certificate());
    cluster.kill(0);
    cluster.member(0).respec(spec.among(spec.initialCluster(), flags));
    cluster.restart(0);
    MemberClient client = cluster.client(0);
    Accounts.user(client, "root", "root");
    Accounts.role(client, "as", "a", "b");
    Accounts.user(client, "alice", "as");
    Accounts.enable(client);
  }

  private static Ended etcdctl(Authority.@Nullable Identity shown, String user, String... words) {
    Command command =
        Command.of(
                "etcdctl", "--endpoints=https://" + endpoint, "--cacert=" + authority.certificate())
            .env(Map.of("ETCDCTL_API", "3"));
    if (shown != null) {
      command = command.with("--cert=" + shown.certificate(), "--key=" + shown.key());
    }
    if (!user.isEmpty()) {
      command = command.with("--user=" + user);
    }
    return command.with("--command-timeout=5s").with(words).run(LIMIT);
  }

  @Test
  void etcdctlWithCertificateAndUser() {
    assertEquals("OK\n", etcdctl(known, "alice:alice", "put", "a", "1").out());
    assertEquals("a\n1\n", etcdctl(known, "alice:alice", "get", "a").out());
    Ended denied = etcdctl(known, "alice:alice", "put", "b", "1");
    assertTrue(denied.err().contains("etcdserver: permission denied"), denied::all);
    Ended wrong = etcdctl(known, "alice:wrong", "get", "a");
    assertTrue(
        wrong.err().contains("authentication failed, invalid user ID or password"), wrong::all);
  }

  /** The common name is a user's name, when no other user is named. */
  @Test
  void theCertificateNamesTheUser() {
    Ended named = etcdctl(known, "", "put", "a-named", "1");
    assertEquals("OK\n", named.out(), named::all);
    Ended denied = etcdctl(known, "", "put", "b", "1");
    assertTrue(denied.err().contains("etcdserver: permission denied"), denied::all);
  }

  @Test
  void etcdctlWithoutAKnownCertificateGetsNoAnswer() {
    for (Authority.Identity shown : new Authority.Identity[] {null, stranger}) {
      Ended refused = etcdctl(shown, "", "get", "a");
      assertEquals(1, refused.code(), refused::all);
      assertEquals("", refused.out());
      assertTrue(refused.err().contains("context deadline exceeded"), refused::all);
    }
  }

  @Test
  void jetcdWithCertificateAndSignedToken() throws Exception {
    try (Client alice = jetcd(known, "alice")) {
      answer(alice.getKVClient().put(bytes("a-jetcd"), bytes("1")));
      assertEquals(1, answer(alice.getKVClient().get(bytes("a-jetcd"))).getCount());
      ExecutionException denied =
          assertThrows(
              ExecutionException.class,
              () -> answer(alice.getKVClient().put(bytes("b"), bytes("1"))));
      assertTrue(denied.toString().contains("etcdserver: permission denied"), denied::toString);
    }
  }

  @Test
  void nodeWithCertificateAndUser() throws IOException {
    NodeScripts.install("check-tls.js");
    Ended ended =
        NodeScripts.run(
            "check-tls.js",
            endpoint,
            authority.certificate().toString(),
            known.certificate().toString(),
            known.key().toString());
    assertEquals(0, ended.code(), ended::all);
    assertEquals("known ok\nstranger ok\n", ended.out(), ended::all);
  }

  private static Client jetcd(Authority.Identity shown, String user) throws Exception {
    ClientBuilder builder =
        Client.builder()
            .endpoints("https://" + endpoint)
            .user(bytes(user))
            .password(bytes(user))
            .retryMaxAttempts(1)
            .sslContext(
                tls ->
                    tls.trustManager(authority.certificate().toFile())
                        .keyManager(shown.certificate().toFile(), shown.key().toFile()));
    return builder.build();
  }

  private static ByteSequence bytes(String text) {
    return ByteSequence.from(text, UTF_8);
  }

  private static <T> T answer(CompletableFuture<T> future) throws Exception {
    return future.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
  }
}
