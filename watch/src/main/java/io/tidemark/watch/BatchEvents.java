package io.tidemark.watch;

import com.google.protobuf.ByteString;
import io.tidemark.mvcc.Change;
import io.tidemark.mvcc.RevisionBatch;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The events of one revision, each variant encoded when first wanted. Thread: one. */
final class BatchEvents {
  private final long revision;
  private final List<Change> changes;
  private final @Nullable EncodedEvent[] plain;
  private final @Nullable EncodedEvent[] withPrevious;

  BatchEvents(RevisionBatch batch) {
    this.revision = batch.revision();
    this.changes = batch.changes();
    this.plain = new @Nullable EncodedEvent[changes.size()];
    this.withPrevious = new @Nullable EncodedEvent[changes.size()];
  }

  int size() {
    return changes.size();
  }

  ByteString key(int index) {
    return changes.get(index).current().getKey();
  }

  boolean deletion(int index) {
    return changes.get(index).deletion();
  }

  EncodedEvent plain(int index) {
    EncodedEvent event = plain[index];
    if (event == null) {
      event = EncodedEvent.plain(changes.get(index), revision);
      plain[index] = event;
    }
    return event;
  }

  EncodedEvent withPrevious(int index) {
    Change change = changes.get(index);
    if (change.previous() == null) {
      return plain(index);
    }
    EncodedEvent event = withPrevious[index];
    if (event == null) {
      event = EncodedEvent.withPrevious(change, revision);
      withPrevious[index] = event;
    }
    return event;
  }
}
