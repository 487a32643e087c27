package io.tidemark.server.http;

import io.grpc.Attributes;
import org.jspecify.annotations.Nullable;

/**
 * Who asked, for as long as one request and its answer take. Thread: the connection's event loop.
 */
public final class HttpCaller {
  private final Attributes attributes;
  private final Happening gone = new Happening();
  private final Happening over = new Happening();

  /**
   * A caller.
   *
   * @param attributes what a gRPC call of the same connection would carry
   */
  public HttpCaller(Attributes attributes) {
    this.attributes = attributes;
  }

  /** A caller without a connection. */
  public static HttpCaller nobody() {
    return new HttpCaller(Attributes.EMPTY);
  }

  public Attributes attributes() {
    return attributes;
  }

  /**
   * Runs once when the caller has closed its half of the connection, or all of it; at once when it
   * has done so already. One action a request.
   */
  public void whenGone(Runnable action) {
    gone.then(action);
  }

  /** Runs once when the answer is written or can't be written any more. One action a request. */
  public void whenOver(Runnable action) {
    over.then(action);
  }

  /** For the transport. */
  public void markGone() {
    gone.happened();
  }

  /** For the transport. */
  public void markOver() {
    over.happened();
  }

  private static final class Happening {
    private boolean past;
    private @Nullable Runnable action;

    void then(Runnable wanted) {
      if (past) {
        wanted.run();
      } else {
        action = wanted;
      }
    }

    void happened() {
      past = true;
      Runnable wanted = action;
      action = null;
      if (wanted != null) {
        wanted.run();
      }
    }
  }
}
