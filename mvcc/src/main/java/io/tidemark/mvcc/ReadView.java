package io.tidemark.mvcc;

import com.google.protobuf.ByteString;
import io.tidemark.api.mvccpb.KeyValue;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** An immutable view. */
public final class ReadView implements AutoCloseable {
  private ReadView() {}

  public long revision() {
    throw new UnsupportedOperationException();
  }

  public long compactRevision() {
    throw new UnsupportedOperationException();
  }

  public AppliedPosition applied() {
    throw new UnsupportedOperationException();
  }

  public RangePage range(RangeQuery query) {
    throw new UnsupportedOperationException();
  }

  public @Nullable KeyValue get(ByteString key, long revision) {
    throw new UnsupportedOperationException();
  }

  public void forEach(KeyRange range, long revision, Predicate<KeyValue> visitor) {
    throw new UnsupportedOperationException();
  }

  public long count(KeyRange range, long revision) {
    throw new UnsupportedOperationException();
  }

  public HistoryCursor history(long fromRevision, boolean withPrevious) {
    throw new UnsupportedOperationException();
  }

  public @Nullable ByteString tableGet(Table table, ByteString key) {
    throw new UnsupportedOperationException();
  }

  public void tableScan(Table table, BiConsumer<ByteString, ByteString> visitor) {
    throw new UnsupportedOperationException();
  }

  public StoreDigest digest(long revision) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}
