package io.tidemark.server.watch;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.UnsafeByteOperations;
import com.google.protobuf.WireFormat;
import io.tidemark.api.etcdserverpb.WatchResponse;
import io.tidemark.server.access.Headers;
import io.tidemark.server.rpc.Spliced;
import io.tidemark.watch.EncodedEvent;
import io.tidemark.watch.WatchMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns the messages of a watch stream into WatchResponses. Events were encoded once for all
 * watchers; here they only get a tag and a length in front.
 */
final class WatchReplies implements WatchMessage.Cases<Spliced> {
  private static final long REFUSED = -1;

  private final Headers headers;

  WatchReplies(Headers headers) {
    this.headers = headers;
  }

  /** The term that a reply made now names. */
  long term() {
    return headers.term();
  }

  Spliced of(WatchMessage message) {
    return message.on(this);
  }

  @Override
  public Spliced created(WatchMessage.Created message) {
    return plain(
        message, WatchResponse.newBuilder().setWatchId(message.watchId()).setCreated(true));
  }

  @Override
  public Spliced refused(WatchMessage.Refused message) {
    return plain(
        message,
        WatchResponse.newBuilder()
            .setWatchId(REFUSED)
            .setCreated(true)
            .setCanceled(true)
            .setCancelReason(message.reason()));
  }

  @Override
  public Spliced canceled(WatchMessage.Canceled message) {
    return plain(
        message, WatchResponse.newBuilder().setWatchId(message.watchId()).setCanceled(true));
  }

  @Override
  public Spliced compacted(WatchMessage.Compacted message) {
    return plain(
        message,
        WatchResponse.newBuilder()
            .setWatchId(message.watchId())
            .setCanceled(true)
            .setCompactRevision(message.compactRevision()));
  }

  @Override
  public Spliced progress(WatchMessage.Progress message) {
    return plain(message, WatchResponse.newBuilder().setWatchId(message.watchId()));
  }

  @Override
  public Spliced events(WatchMessage.Events message) {
    List<EncodedEvent> events = message.events();
    List<ByteString> pieces = new ArrayList<>(2 * events.size() + 2);
    pieces.add(headers.field(message.revision()));
    ByteString fields =
        WatchResponse.newBuilder()
            .setWatchId(message.watchId())
            .setFragment(message.fragment())
            .build()
            .toByteString();
    if (!fields.isEmpty()) {
      pieces.add(fields);
    }
    for (EncodedEvent event : events) {
      pieces.add(tagAndLength(event.bytes().size()));
      pieces.add(event.bytes());
    }
    return Spliced.of(pieces);
  }

  private Spliced plain(WatchMessage message, WatchResponse.Builder fields) {
    return Spliced.of(headers.field(message.revision()), fields.build().toByteString());
  }

  private static ByteString tagAndLength(int size) {
    byte[] bytes = new byte[1 + CodedOutputStream.computeUInt32SizeNoTag(size)];
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(bytes);
      out.writeTag(WatchResponse.EVENTS_FIELD_NUMBER, WireFormat.WIRETYPE_LENGTH_DELIMITED);
      out.writeUInt32NoTag(size);
      out.flush();
    } catch (IOException e) {
      throw new IllegalStateException("an array of the right size was too small", e);
    }
    return UnsafeByteOperations.unsafeWrap(bytes);
  }
}
