package io.tidemark.statemachine;

import com.google.protobuf.ByteString;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.mvcc.EntryBatch;
import io.tidemark.mvcc.KeyRange;
import io.tidemark.mvcc.RangePage;
import io.tidemark.mvcc.RangeQuery;
import io.tidemark.statemachine.kv.KeySpace;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The keys as the running command of an entry sees them. Thread: apply. */
final class EntryKeys implements KeySpace {
  private final EntryBatch batch;

  EntryKeys(EntryBatch batch) {
    this.batch = batch;
  }

  /** The revision the running command makes, as soon as it has changed something. */
  @Override
  public long revision() {
    return batch.changed() ? batch.revision() + 1 : batch.revision();
  }

  @Override
  public long compactRevision() {
    return batch.compactRevision();
  }

  @Override
  public @Nullable KeyValue get(ByteString key) {
    return batch.get(key);
  }

  @Override
  public RangePage range(RangeQuery query) {
    return batch.range(query);
  }

  @Override
  public void forEach(KeyRange range, Predicate<KeyValue> visitor) {
    batch.forEach(range, 0, visitor);
  }
}
