package io.tidemark.server.http;

import com.google.protobuf.ByteString;
import java.util.Map;

/** A whole HTTP response. */
public record HttpAnswer(
    int status, String contentType, ByteString body, Map<String, String> headers) {

  public HttpAnswer {
    headers = Map.copyOf(headers);
  }

  public static HttpAnswer text(int status, String body) {
    return new HttpAnswer(
        status, "text/plain; charset=utf-8", ByteString.copyFromUtf8(body), Map.of());
  }

  public static HttpAnswer json(int status, String body) {
    return new HttpAnswer(status, "application/json", ByteString.copyFromUtf8(body), Map.of());
  }

  /** The answer to a method that the page does not take. */
  public static HttpAnswer methodNotAllowed(String allowed) {
    return new HttpAnswer(
        405,
        "text/plain; charset=utf-8",
        ByteString.copyFromUtf8("Method Not Allowed\n"),
        Map.of("allow", allowed));
  }

  public static HttpAnswer notFound() {
    return text(404, "404 page not found\n");
  }
}
