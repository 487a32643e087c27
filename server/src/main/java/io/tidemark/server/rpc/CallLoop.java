package io.tidemark.server.rpc;

import io.grpc.Attributes;
import java.util.concurrent.ScheduledExecutorService;

/**
 * Where a call's connection lives. Messages that are sent from there leave with few system calls:
 * all of one turn are flushed together.
 */
public final class CallLoop {
  /** Among the attributes of every call. */
  public static final Attributes.Key<ScheduledExecutorService> KEY =
      Attributes.Key.create("tidemark-call-loop");

  private CallLoop() {}

  /** The loop of a call. */
  public static ScheduledExecutorService of(Attributes attributes) {
    ScheduledExecutorService loop = attributes.get(KEY);
    if (loop == null) {
      throw new IllegalStateException("the transport did not say where the call lives");
    }
    return loop;
  }
}
