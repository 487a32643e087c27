package io.tidemark.watch;

import com.google.protobuf.ByteString;
import io.tidemark.api.mvccpb.Event;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.mvcc.Change;
import org.jspecify.annotations.Nullable;

/**
 * One event as it goes over the wire, encoded once and shared by all watchers that get this
 * variant. Immutable.
 */
public final class EncodedEvent {
  /** Field tag and length of an event inside a response, at most. */
  private static final int ENVELOPE_BYTES = 6;

  private final ByteString bytes;
  private final long revision;

  private EncodedEvent(ByteString bytes, long revision) {
    this.bytes = bytes;
    this.revision = revision;
  }

  /** The serialized {@code mvccpb.Event}. */
  public ByteString bytes() {
    return bytes;
  }

  /** The revision that made the event. */
  public long revision() {
    return revision;
  }

  /** Bytes inside a response. */
  long size() {
    return (long) bytes.size() + ENVELOPE_BYTES;
  }

  static EncodedEvent plain(Change change, long revision) {
    return encode(change, null, revision);
  }

  static EncodedEvent withPrevious(Change change, long revision) {
    return encode(change, change.previous(), revision);
  }

  private static EncodedEvent encode(Change change, @Nullable KeyValue previous, long revision) {
    Event.Builder event =
        Event.newBuilder()
            .setType(change.deletion() ? Event.EventType.DELETE : Event.EventType.PUT)
            .setKv(change.current());
    if (previous != null) {
      event.setPrevKv(previous);
    }
    return new EncodedEvent(event.build().toByteString(), revision);
  }
}
