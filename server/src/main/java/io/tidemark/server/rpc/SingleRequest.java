package io.tidemark.server.rpc;

/** Answers calls with one request message. Thread: called on an event loop; must not block. */
@FunctionalInterface
public interface SingleRequest<Q> {
  /** Answers now or later, from any thread. An exception ends the call with an unknown error. */
  void answer(Q request, Reply reply);
}
