package io.tidemark.raftcore.faultpoint;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * gofail's HTTP protocol: {@code GET /} lists all points, {@code GET}, {@code PUT} and {@code
 * DELETE} of {@code /NAME} show, set and clear one, {@code GET /NAME/count} tells how often it did
 * something, {@code PUT /failpoints} sets several. Whoever reaches the port can end the process:
 * for tests only. One thread of its own.
 */
public final class FaultPointServer implements AutoCloseable {
  private static final int BODY_BYTES_MAX = 64 << 10;
  private static final String NONE = "failpoint: failpoint does not exist";
  private static final String DISABLED = "failpoint: failpoint is disabled";

  private final HttpServer server;

  private FaultPointServer(HttpServer server) {
    this.server = server;
  }

  /**
   * Listens.
   *
   * @param address {@code HOST:PORT}
   * @throws IOException if it can't be listened on
   */
  public static FaultPointServer listen(String address) throws IOException {
    int colon = address.lastIndexOf(':');
    InetSocketAddress at;
    try {
      at =
          new InetSocketAddress(
              address.substring(0, Math.max(0, colon)),
              Integer.parseInt(address.substring(colon + 1)));
    } catch (IllegalArgumentException wrong) {
      throw new IOException("not HOST:PORT: " + address, wrong);
    }
    HttpServer server = HttpServer.create(at, 0);
    server.createContext("/", FaultPointServer::answer);
    server.start();
    return new FaultPointServer(server);
  }

  /** The port that it listens on. */
  public int port() {
    return server.getAddress().getPort();
  }

  private record Answer(int code, String text) {}

  private static void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String key = exchange.getRequestURI().getPath().substring(1);
      Answer answer =
          switch (exchange.getRequestMethod()) {
            case "GET" -> get(key);
            case "PUT" ->
                put(
                    key,
                    new String(
                        exchange.getRequestBody().readNBytes(BODY_BYTES_MAX),
                        StandardCharsets.UTF_8));
            case "DELETE" -> delete(key);
            default -> new Answer(405, "Method not allowed\n");
          };
      byte[] body = answer.text().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(answer.code(), body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private static Answer get(String key) {
    if (key.isEmpty()) {
      return new Answer(
          200,
          FaultPoint.list().entrySet().stream()
              .map(point -> point.getKey() + "=" + point.getValue() + "\n")
              .collect(Collectors.joining()));
    }
    boolean count = key.endsWith("/count");
    String name = count ? key.substring(0, key.length() - "/count".length()) : key;
    Optional<FaultPoint> point = FaultPoint.named(name);
    if (point.isEmpty()) {
      return new Answer(404, "failed to GET: " + NONE + "\n");
    }
    if (count) {
      return new Answer(200, Long.toString(point.get().hits()));
    }
    String terms = point.get().terms();
    return terms.isEmpty()
        ? new Answer(404, "failed to GET: " + DISABLED + "\n")
        : new Answer(200, terms + "\n");
  }

  private static Answer put(String key, String body) {
    Map<String, String> wanted = new LinkedHashMap<>();
    if (key.equals("failpoints")) {
      for (String one : body.strip().split(";", -1)) {
        int equals = one.indexOf('=');
        if (equals < 0) {
          return new Answer(400, "fail to parse failpoint: " + one + "\n");
        }
        wanted.put(one.substring(0, equals).strip(), one.substring(equals + 1));
      }
    } else {
      wanted.put(key, body);
    }
    for (Map.Entry<String, String> one : wanted.entrySet()) {
      Optional<FaultPoint> point = FaultPoint.named(one.getKey());
      if (point.isEmpty()) {
        return new Answer(400, "fail to set failpoint: " + NONE + "\n");
      }
      try {
        point.get().set(one.getValue());
      } catch (IllegalArgumentException wrong) {
        return new Answer(400, "fail to set failpoint: " + wrong.getMessage() + "\n");
      }
    }
    return new Answer(204, "");
  }

  private static Answer delete(String key) {
    Optional<FaultPoint> point = FaultPoint.named(key);
    if (point.isEmpty() || point.get().terms().isEmpty()) {
      String why = point.isEmpty() ? NONE : DISABLED;
      return new Answer(400, "failed to delete failpoint " + why + "\n");
    }
    point.get().clear();
    return new Answer(204, "");
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
