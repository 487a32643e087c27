package io.tidemark.statemachine.backup;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnsafeByteOperations;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.mvcc.ReadView;
import io.tidemark.mvcc.RecordCursor;
import io.tidemark.mvcc.StoreLoad;
import io.tidemark.mvcc.StoredRecord;
import io.tidemark.statemachine.backup.bbolt.DamagedFileException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Bucket {@code key}: main revision 8, {@code _}, sub-revision 8, and {@code t} for a deletion, to
 * a serialized {@link KeyValue}, which for a deletion holds the key alone. An entry without a value
 * only says that its revision has been.
 *
 * @param memoryBytes what sorting may use
 */
record KeyBucket(long memoryBytes) implements BucketRows {
  static final String NAME = "key";
  private static final int KEY_BYTES = 17;
  private static final byte SEPARATOR = '_';
  private static final byte TOMBSTONE = 't';

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void write(ReadView view, Out out) throws IOException {
    long newest = 0;
    try (RecordCursor records = view.records(memoryBytes)) {
      for (StoredRecord next = records.next(); next != null; next = records.next()) {
        newest = next.main();
        out.put(revisionKey(next.main(), next.sub(), next.tombstone()), value(next));
      }
    }
    // The store's revision is that of its last entry. A new store is at 1 without having any.
    if (newest < view.revision() && view.revision() > 1) {
      out.put(revisionKey(view.revision(), 0, false), ByteString.EMPTY);
    }
  }

  private static ByteString value(StoredRecord record) {
    return record.tombstone()
        ? KeyValue.newBuilder().setKey(record.pair().getKey()).build().toByteString()
        : record.pair().toByteString();
  }

  @Override
  public void read(ByteString key, ByteString value, StoreLoad into) throws DamagedFileException {
    long main = main(key);
    long sub = key.substring(9, KEY_BYTES).asReadOnlyByteBuffer().getLong();
    if (sub < 0 || sub > Integer.MAX_VALUE) {
      throw new DamagedFileException("revision " + main + " has no part " + sub);
    }
    boolean tombstone = key.size() > KEY_BYTES;
    if (value.isEmpty() && !tombstone) {
      return;
    }
    KeyValue pair;
    try {
      pair = KeyValue.parseFrom(value);
    } catch (InvalidProtocolBufferException e) {
      throw new DamagedFileException("revision " + main + " can't be read");
    }
    if (!tombstone && pair.getModRevision() != main) {
      throw new DamagedFileException(
          "revision " + main + " holds a key of revision " + pair.getModRevision());
    }
    into.add(new StoredRecord(main, (int) sub, tombstone, pair));
  }

  /** The main revision of an entry. */
  static long main(ByteString key) throws DamagedFileException {
    boolean tombstone = key.size() == KEY_BYTES + 1 && key.byteAt(KEY_BYTES) == TOMBSTONE;
    if ((key.size() != KEY_BYTES && !tombstone) || key.byteAt(8) != SEPARATOR) {
      throw new DamagedFileException("an entry of bucket key has no revision");
    }
    long main = key.asReadOnlyByteBuffer().getLong();
    if (main <= 0) {
      throw new DamagedFileException("there is no revision " + main);
    }
    return main;
  }

  /** A revision as etcd writes it, here and in bucket {@code meta}. */
  static ByteString revisionKey(long main, int sub, boolean tombstone) {
    ByteBuffer key = ByteBuffer.allocate(tombstone ? KEY_BYTES + 1 : KEY_BYTES);
    key.putLong(main).put(SEPARATOR).putLong(sub);
    if (tombstone) {
      key.put(TOMBSTONE);
    }
    return UnsafeByteOperations.unsafeWrap(key.array());
  }
}
