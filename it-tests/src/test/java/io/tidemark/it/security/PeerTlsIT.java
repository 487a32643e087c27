package io.tidemark.it.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.api.etcdserverpb.StatusResponse;
import io.tidemark.it.client.Attempt;
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.process.Authority;
import io.tidemark.it.process.Await;
import io.tidemark.it.process.MemberSpec;
import io.tidemark.it.process.Product;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.rig.Replicas;
import io.tidemark.it.support.Clusters;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Members that show each other certificates: nobody else gets a word in. */
@Tag("security")
class PeerTlsIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** What a client of HTTP/2 begins with. */
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  @RegisterExtension final Clusters clusters = Clusters.perTest();

  @TempDir Path directory;

  private Authority authority;
  private Authority.Identity member;

  @BeforeEach
  void authority() {
    assumeTrue(Product.underTest() == Product.TIDEMARK, "reads messages of ours");
    authority = new Authority(directory.resolve("ours"), "ours");
    member = authority.sign("member");
  }

  @Test
  void membersWithCertificatesServeThroughKillsAndAStrangerIsRefused() throws Exception {
    ProcessCluster cluster = start();
    long revision = write(cluster, "before");
    int victim = cluster.awaitLeader();
    cluster.kill(victim);
    cluster.awaitLeader(cluster.allBut(victim));
    MemberClient other = cluster.client(cluster.otherThan(victim));
    other.put("during", "x").answer();
    int peerPort = cluster.member(cluster.otherThan(victim)).spec().peerPort();
    assertThrows(IOException.class, () -> handshake(peerPort), "no certificate");
    assertTrue(speaksNothingInPlainText(peerPort));

    Authority foreign = new Authority(directory.resolve("foreign"), "ours");
    MemberSpec genuine = cluster.member(victim).spec();
    intrude(cluster, victim, flags(foreign, foreign.sign("member")));
    assertEquals(revision + 1, Replicas.localRevision(other));
    cluster.member(victim).respec(genuine);
    cluster.restart(victim);
    write(cluster, "after");
    Replicas.agreed(cluster);
  }

  @Test
  void aMemberOfAnotherNameIsRefused() {
    ProcessCluster cluster = start("--peer-cert-allowed-cn=member");
    int victim = cluster.otherThan(cluster.awaitLeader());
    cluster.kill(victim);
    MemberSpec genuine = cluster.member(victim).spec();
    intrude(cluster, victim, flags(authority, authority.sign("visitor")));
    cluster.member(victim).respec(genuine);
    cluster.restart(victim);
    Replicas.agreed(cluster);
  }

  @Test
  void aRevokedMemberIsRefused() {
    Authority.Identity lost = authority.sign("member");
    Path list = authority.revoke(Set.of(lost.serial()));
    ProcessCluster cluster = start("--peer-crl-file=" + list);
    int victim = cluster.otherThan(cluster.awaitLeader());
    cluster.kill(victim);
    MemberSpec genuine = cluster.member(victim).spec();
    intrude(cluster, victim, flags(authority, lost));
    cluster.member(victim).respec(genuine);
    cluster.restart(victim);
    Replicas.agreed(cluster);
  }

  @Test
  void membersSignForThemselves() throws Exception {
    ProcessCluster cluster = clusters.start(ClusterPlan.of(3).overTls().flags("--peer-auto-tls"));
    write(cluster, "key");
    Replicas.agreed(cluster);
    int peerPort = cluster.member(0).spec().peerPort();
    assertTrue(speaksNothingInPlainText(peerPort));
    assertEquals("O=tidemark", handshake(peerPort).getSubjectX500Principal().getName());
  }

  private ProcessCluster start(String... more) {
    List<String> all = new ArrayList<>(flags(authority, member));
    all.addAll(List.of(more));
    return clusters.start(ClusterPlan.of(3).overTls().flags(all.toArray(String[]::new)));
  }

  private static List<String> flags(Authority trusted, Authority.Identity shown) {
    return List.of(
        "--peer-cert-file=" + shown.certificate(),
        "--peer-key-file=" + shown.key(),
        "--peer-trusted-ca-file=" + trusted.certificate(),
        "--peer-client-cert-auth");
  }

  /** Starts a member's process on its own data, with other certificates: it hears nobody. */
  private static void intrude(ProcessCluster cluster, int victim, List<String> flags) {
    MemberSpec spec = cluster.member(victim).spec();
    cluster.member(victim).respec(spec.among(spec.initialCluster(), flags));
    cluster.member(victim).start();
    cluster
        .member(victim)
        .output()
        .awaitLine("a lonely member", line -> line.contains("nothing heard of the leader"), LIMIT);
    Await.until(
        "an answer of the lonely member",
        LIMIT,
        () -> {
          MemberClient lonely = cluster.client(victim);
          lonely.redial();
          Attempt<StatusResponse> status = lonely.status();
          return status.answered() && status.answer().getLeader() == 0;
        });
    cluster.kill(victim);
  }

  private static long write(ProcessCluster cluster, String key) {
    long revision = 0;
    for (MemberClient client : cluster.clients()) {
      revision = client.put(key, "v").answer().getHeader().getRevision();
    }
    return revision;
  }

  /** Whether a peer port hangs up on HTTP/2 without TLS. */
  private static boolean speaksNothingInPlainText(int port) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout((int) LIMIT.toMillis());
      socket.getOutputStream().write(PREFACE);
      InputStream in = socket.getInputStream();
      int first = in.read();
      // An alert of TLS, or nothing at all; never a frame of HTTP/2, which begins with a length.
      return first == -1 || first == 0x15;
    }
  }

  /** Shows nothing and believes anything; the certificate that the port shows. */
  private static X509Certificate handshake(int port) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new Gullible()}, new SecureRandom());
    try (SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port)) {
      socket.setSoTimeout((int) LIMIT.toMillis());
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {"h2"});
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      // In TLS 1.3 a refusal comes after the handshake, with the first byte.
      socket.getOutputStream().write(PREFACE);
      if (socket.getInputStream().read() < 0) {
        throw new IOException("closed");
      }
      return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }
  }

  private static final class Gullible extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
