package io.tidemark.it.chaos;

import io.tidemark.api.mvccpb.Event;
import io.tidemark.it.history.Action;
import io.tidemark.it.history.Operation;
import io.tidemark.it.history.Outcome;

/** Accounts for a put that a test made before its clients started. */
final class FirstPut {
  private FirstPut() {}

  static Operation of(Event event) {
    String key = event.getKv().getKey().toStringUtf8();
    String value = event.getKv().getValue().toStringUtf8();
    return new Operation(
        "test",
        new Action.Put(key, value),
        Long.MIN_VALUE,
        Long.MAX_VALUE,
        new Outcome.Unknown(""));
  }
}
