package io.tidemark.clusterconfig.tls;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tidemark.clusterconfig.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files are stamped by hand, one second after the other, and looked at when the test says so. */
class LiveCertificatesTest {
  private static final String REFUSED = "client certificate authentication failed";

  @TempDir Path directory;

  private final List<String> heard = new ArrayList<>();
  private long stamp = 1_000;

  @BeforeEach
  void layOut() throws IOException {
    put("node.crt", "shown.crt");
    put("node.key", "shown.key");
    put("ca.crt", "ca.crt");
  }

  @Test
  void aRenewedCertificateIsShownAndTheOldOneStaysForHandshakesUnderWay() throws Exception {
    try (LiveCertificates live = open(null, List.of(), List.of())) {
      String first = alias(live);
      live.look();
      assertEquals(first, alias(live));
      put("renewed.crt", "shown.crt");
      put("renewed.key", "shown.key");
      live.look();
      String second = alias(live);
      assertEquals(certificate("renewed.crt"), live.keys().getCertificateChain(second)[0]);
      assertEquals(certificate("node.crt"), live.keys().getCertificateChain(first)[0]);
      assertNotNull(live.keys().getPrivateKey(first));
      assertEquals(List.of("renewed"), heard);
    }
  }

  @Test
  void filesThatCannotBeReadReplaceNothing() throws Exception {
    try (LiveCertificates live = open(null, List.of(), List.of())) {
      Files.writeString(directory.resolve("shown.crt"), "half written");
      stamp("shown.crt");
      live.look();
      live.look();
      assertEquals(
          certificate("node.crt"),
          live.keys().getCertificateChain(alias(live))[0],
          heard::toString);
      assertEquals(1, heard.size(), "told once");
      put("renewed.crt", "shown.crt");
      put("renewed.key", "shown.key");
      live.look();
      assertEquals(certificate("renewed.crt"), live.keys().getCertificateChain(alias(live))[0]);
    }
  }

  @Test
  void onlyTheAuthoritysCertificatesAreBelieved() throws Exception {
    try (LiveCertificates live = open(null, List.of(), List.of())) {
      assertDoesNotThrow(() -> asClient(live, "node.crt"));
      assertThrows(CertificateException.class, () -> asClient(live, "stranger.crt"));
      assertThrows(CertificateException.class, () -> asServer(live, "stranger.crt"));
    }
  }

  @Test
  void aRevokedCertificateIsRefusedFromTheMomentItIsListed() throws Exception {
    put("empty.crl", "list.crl");
    try (LiveCertificates live = open("list.crl", List.of(), List.of())) {
      asClient(live, "renewed.crt");
      put("revoked.crl", "list.crl");
      live.look();
      asClient(live, "node.crt");
      CertificateException refused =
          assertThrows(CertificateException.class, () -> asClient(live, "renewed.crt"));
      assertEquals("transport: certificate serial 1002 revoked", refused.getMessage());
    }
  }

  @Test
  void commonNamesAreThoseAllowed() throws Exception {
    try (LiveCertificates live = open(null, List.of("node-1", "node-9"), List.of())) {
      asClient(live, "node.crt");
      asServer(live, "node.crt");
      for (CertificateException refused :
          List.of(
              assertThrows(CertificateException.class, () -> asClient(live, "renewed.crt")),
              assertThrows(CertificateException.class, () -> asServer(live, "renewed.crt")))) {
        assertEquals(REFUSED, refused.getMessage());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "node.example.com, true",
    "NODE.example.com, true",
    "a.wild.example.com, true",
    "a.b.wild.example.com, false",
    "wild.example.com, false",
    "127.0.0.1, true",
    "0:0:0:0:0:0:0:1, true",
    "127.0.0.2, false",
    "node-1, false"
  })
  void hostNamesAreAlternativeNames(String host, boolean allowed) throws Exception {
    try (LiveCertificates live = open(null, List.of(), List.of("other.example.com", host))) {
      if (allowed) {
        asClient(live, "node.crt");
        return;
      }
      assertEquals(
          REFUSED,
          assertThrows(CertificateException.class, () -> asClient(live, "node.crt")).getMessage());
    }
  }

  private LiveCertificates open(@Nullable String list, List<String> names, List<String> hosts)
      throws IOException {
    return new LiveCertificates(
        "certificates-test",
        new TlsFiles(
            directory.resolve("shown.crt"),
            directory.resolve("shown.key"),
            null,
            null,
            directory.resolve("ca.crt"),
            true,
            false,
            list == null ? null : directory.resolve(list),
            names,
            hosts,
            false),
        new LiveCertificates.Listener() {
          @Override
          public void renewed() {
            heard.add("renewed");
          }

          @Override
          public void kept(String why) {
            heard.add("kept: " + why);
          }
        });
  }

  private static void asClient(LiveCertificates live, String name) throws Exception {
    live.trust().checkClientTrusted(new X509Certificate[] {certificate(name)}, "EC");
  }

  private static void asServer(LiveCertificates live, String name) throws Exception {
    live.trust().checkServerTrusted(new X509Certificate[] {certificate(name)}, "ECDHE_ECDSA");
  }

  private static String alias(LiveCertificates live) throws Exception {
    SSLEngine engine = SSLContext.getDefault().createSSLEngine();
    return live.keys().chooseEngineServerAlias("EC", null, engine);
  }

  private static X509Certificate certificate(String name) throws Exception {
    return CertificateFile.read(resource(name))[0];
  }

  private void put(String resource, String name) throws IOException {
    Files.copy(resource(resource), directory.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    stamp(name);
  }

  private void stamp(String name) throws IOException {
    stamp += 1_000;
    Files.setLastModifiedTime(directory.resolve(name), FileTime.fromMillis(stamp));
  }

  private static Path resource(String name) {
    return Path.of("src/test/resources/tls", name);
  }
}
