package io.tidemark.server.gateway;

import com.google.protobuf.ByteString;
import io.tidemark.server.rpc.Request;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a body, one at a time. A call with one request takes the first value, and an
 * empty request when there is none; the rest of its body is not looked at. Not thread-safe.
 */
final class Requests {
  private final Route route;
  private final int bytesMax;
  private final JsonValues values;
  private boolean over;

  Requests(Route route, ByteString body, int bytesMax) {
    this.route = route;
    this.bytesMax = bytesMax;
    this.values = new JsonValues(body);
  }

  /** The next one; null when all were taken. */
  @Nullable Request next() throws BadRequestException {
    if (over) {
      return null;
    }
    String json = values.next();
    over = json == null || !route.manyRequests();
    if (json != null) {
      return Request.of(JsonMessages.read(json, route.request()).toByteString(), bytesMax);
    }
    return route.manyRequests() ? null : Request.of(ByteString.EMPTY, bytesMax);
  }
}
