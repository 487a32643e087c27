package io.tidemark.mvcc;

import com.google.protobuf.ByteString;
import io.tidemark.api.mvccpb.KeyValue;
import java.util.Collection;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One Raft entry. */
public final class EntryBatch implements AutoCloseable {
  private EntryBatch() {}

  public void prefetch(Collection<ByteString> keys) {
    throw new UnsupportedOperationException();
  }

  public long revision() {
    throw new UnsupportedOperationException();
  }

  public long compactRevision() {
    throw new UnsupportedOperationException();
  }

  public @Nullable KeyValue get(ByteString key) {
    throw new UnsupportedOperationException();
  }

  public RangePage range(RangeQuery query) {
    throw new UnsupportedOperationException();
  }

  public void forEach(KeyRange range, long revision, Predicate<KeyValue> visitor) {
    throw new UnsupportedOperationException();
  }

  public @Nullable KeyValue put(ByteString key, ByteString value, long lease) {
    throw new UnsupportedOperationException();
  }

  public List<KeyValue> deleteRange(KeyRange range) {
    throw new UnsupportedOperationException();
  }

  public boolean changed() {
    throw new UnsupportedOperationException();
  }

  public long finishCommand() {
    throw new UnsupportedOperationException();
  }

  public void compact(long revision) {
    throw new UnsupportedOperationException();
  }

  public @Nullable ByteString tableGet(Table table, ByteString key) {
    throw new UnsupportedOperationException();
  }

  public void tablePut(Table table, ByteString key, ByteString value) {
    throw new UnsupportedOperationException();
  }

  public void tableDelete(Table table, ByteString key) {
    throw new UnsupportedOperationException();
  }

  public void tableScan(Table table, BiConsumer<ByteString, ByteString> visitor) {
    throw new UnsupportedOperationException();
  }

  public List<RevisionBatch> commit() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}
