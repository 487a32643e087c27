package io.tidemark.server.http;

import com.google.protobuf.ByteString;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP response.
 *
 * @param body all of the body; empty when there is a flow
 * @param flow makes the body while it is sent; null when the body is whole
 */
public record HttpAnswer(
    int status,
    String contentType,
    ByteString body,
    Map<String, String> headers,
    @Nullable HttpFlow flow) {
  private static final String JSON = "application/json";

  public HttpAnswer {
    headers = Map.copyOf(headers);
  }

  /** A whole response without headers of its own. */
  public static HttpAnswer of(int status, String contentType, ByteString body) {
    return new HttpAnswer(status, contentType, body, Map.of(), null);
  }

  public static HttpAnswer text(int status, String body) {
    return of(status, "text/plain; charset=utf-8", ByteString.copyFromUtf8(body));
  }

  public static HttpAnswer json(int status, String body) {
    return json(status, ByteString.copyFromUtf8(body));
  }

  public static HttpAnswer json(int status, ByteString body) {
    return of(status, JSON, body);
  }

  /** JSON values, one a line, as they come. */
  public static HttpAnswer jsonLines(HttpFlow flow) {
    return new HttpAnswer(200, JSON, ByteString.EMPTY, Map.of(), flow);
  }

  /** The answer to a method that the page does not take. */
  public static HttpAnswer methodNotAllowed(String allowed) {
    return new HttpAnswer(
        405,
        "text/plain; charset=utf-8",
        ByteString.copyFromUtf8("Method Not Allowed\n"),
        Map.of("allow", allowed),
        null);
  }

  public static HttpAnswer notFound() {
    return text(404, "404 page not found\n");
  }
}
