package io.tidemark.server.http;

import com.google.protobuf.ByteString;

/** A body that is made while it is sent. Thread: the connection's event loop. */
@FunctionalInterface
public interface HttpFlow {
  /** Called once, when the head of the response is on its way. */
  void start(Sink sink);

  /** Where the parts go. Thread: the connection's event loop. */
  interface Sink {
    /**
     * Sends a part. Nothing bounds what waits here: whoever makes the parts counts them.
     *
     * @param written runs on the event loop when the part has left, or never will
     */
    void write(ByteString part, Runnable written);

    /** The body is complete. */
    void end();
  }
}
