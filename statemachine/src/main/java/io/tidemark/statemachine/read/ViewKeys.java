package io.tidemark.statemachine.read;

import com.google.protobuf.ByteString;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.mvcc.KeyRange;
import io.tidemark.mvcc.RangePage;
import io.tidemark.mvcc.RangeQuery;
import io.tidemark.mvcc.ReadView;
import io.tidemark.statemachine.kv.KeySpace;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The keys of a pinned view. Owned by the thread that holds the view. */
final class ViewKeys implements KeySpace {
  private final ReadView view;

  ViewKeys(ReadView view) {
    this.view = view;
  }

  @Override
  public long revision() {
    return view.revision();
  }

  @Override
  public long compactRevision() {
    return view.compactRevision();
  }

  @Override
  public @Nullable KeyValue get(ByteString key) {
    return view.get(key, 0);
  }

  @Override
  public RangePage range(RangeQuery query) {
    return view.range(query);
  }

  @Override
  public void forEach(KeyRange range, Predicate<KeyValue> visitor) {
    view.forEach(range, 0, visitor);
  }
}
