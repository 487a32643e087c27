package io.tidemark.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --host-whitelist} and {@code --cors}, with the answers of etcd 3.4.23 to the same. */
@Timeout(60)
class HttpAccessTest {
  private static final String MISDIRECTED =
      "\netcd received your request, but the Host header was unrecognized.\n\n"
          + "To fix this, choose one of the following options:\n"
          + "- Enable TLS, then any HTTPS request will be allowed.\n"
          + "- Add the hostname you want to use to the whitelist in settings.\n"
          + "  - e.g. etcd --host-whitelist \"127.0.0.1\"\n\n"
          + "This requirement has been added to help prevent \"DNS Rebinding\" attacks"
          + " (CVE-2018-5702).\n\n";

  private static LoneMember lone;

  @BeforeAll
  static void start(@TempDir Path data) throws Exception {
    lone =
        LoneMember.start(
            data,
            "--host-whitelist=good.example,::1",
            "--cors=http://a.example:80,http://b.example:80");
  }

  @AfterAll
  static void stop() {
    lone.close();
  }

  /** The head in lower case and the body of an answer, with an empty line between them. */
  private static String ask(String method, String host, String origin) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", lone.member.clientPorts().get(0))) {
      String request =
          method
              + " /version HTTP/1.1\r\nConnection: close\r\nHost: "
              + host
              + (origin.isEmpty() ? "" : "\r\nOrigin: " + origin)
              + "\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      String answer =
          new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      int body = answer.indexOf("\r\n\r\n");
      return answer.substring(0, body).toLowerCase(Locale.ROOT) + answer.substring(body);
    }
  }

  @Test
  void anUnknownNameIsRefused() throws IOException {
    String answer = ask("GET", "127.0.0.1:2379", "http://a.example:80");
    assertTrue(answer.startsWith("http/1.1 421 misdirected request\r\n"), answer);
    assertTrue(answer.contains("\r\ncontent-type: text/plain; charset=utf-8\r\n"), answer);
    assertFalse(answer.contains("access-control"), answer);
    assertEquals(MISDIRECTED, answer.substring(answer.indexOf("\r\n\r\n") + 4));
  }

  @ParameterizedTest
  @ValueSource(strings = {"good.example", "good.example:99", "[::1]:2379"})
  void aKnownNameIsServedWithAnyPort(String host) throws IOException {
    assertTrue(ask("GET", host, "").startsWith("http/1.1 200 ok\r\n"), host);
  }

  @ParameterizedTest
  @ValueSource(strings = {"good.example.", "evil.good.example", "[::1]", "good.example:1:2", ""})
  void namesThatOnlyLookAlikeAreRefused(String host) throws IOException {
    assertTrue(ask("GET", host, "").startsWith("http/1.1 421 "), host);
  }

  @Test
  void anotherSiteIsToldNothing() throws IOException {
    String answer = ask("GET", "good.example", "http://c.example:80");
    assertTrue(answer.startsWith("http/1.1 200 ok\r\n"), answer);
    assertFalse(answer.contains("access-control"), answer);
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "OPTIONS"})
  void aListedSiteMayRead(String method) throws IOException {
    String answer = ask(method, "good.example", "http://b.example:80");
    assertTrue(answer.startsWith("http/1.1 200 ok\r\n"), answer);
    assertTrue(answer.contains("\r\naccess-control-allow-origin: http://b.example:80\r\n"), answer);
    assertTrue(
        answer.contains("\r\naccess-control-allow-methods: post, get, options, put, delete\r\n"),
        answer);
    assertTrue(
        answer.contains(
            "\r\naccess-control-allow-headers: accept, content-type, authorization\r\n"),
        answer);
  }
}
