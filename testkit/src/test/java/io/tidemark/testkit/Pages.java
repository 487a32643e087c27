package io.tidemark.testkit;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** HTTP without a client that keeps threads or connections. */
final class Pages {
  private Pages() {}

  static String get(TidemarkMember member, String path) throws IOException {
    return exchange(member.clientEndpoint(), "GET " + path + " HTTP/1.1\r\n", "");
  }

  static String post(TidemarkMember member, String path, String json) throws IOException {
    return exchange(
        member.clientEndpoint(),
        "POST " + path + " HTTP/1.1\r\nContent-Length: " + json.length() + "\r\n",
        json);
  }

  /** The value of one line of a metrics page; 0 when there is none. */
  static double metric(TidemarkMember member, String series) throws IOException {
    return get(member, "/metrics")
        .lines()
        .filter(line -> line.startsWith(series + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
        .sum();
  }

  private static String exchange(URI endpoint, String head, String body) throws IOException {
    try (Socket socket = new Socket(endpoint.getHost(), endpoint.getPort())) {
      socket.setSoTimeout(20_000);
      OutputStream out = socket.getOutputStream();
      out.write(
          (head + "Host: localhost\r\nConnection: close\r\n\r\n" + body)
              .getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
