package io.tidemark.it.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** A client that watches a prefix and never reads. */
final class StuckWatcher implements AutoCloseable {
  private final Socket socket;

  private StuckWatcher(Socket socket) {
    this.socket = socket;
  }

  /** Opens a watch of a prefix that ends in a slash, from the member at an address. */
  static StuckWatcher open(URI member, String prefix) {
    String end = prefix.substring(0, prefix.length() - 1) + "0";
    String body =
        "{\"create_request\":{\"key\":\""
            + coded(prefix)
            + "\",\"range_end\":\""
            + coded(end)
            + "\"}}";
    String request =
        "POST /v3/watch HTTP/1.1\r\nHost: member\r\nContent-Length: " + body.length() + "\r\n\r\n";
    try {
      Socket socket = new Socket(member.getHost(), member.getPort());
      socket.getOutputStream().write((request + body).getBytes(StandardCharsets.US_ASCII));
      return new StuckWatcher(socket);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Its address as the member sees it. */
  String address() {
    return "127.0.0.1:" + socket.getLocalPort();
  }

  private static String coded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
