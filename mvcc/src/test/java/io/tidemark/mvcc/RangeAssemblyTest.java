package io.tidemark.mvcc;

import static io.tidemark.mvcc.StoreContents.utf8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.api.mvccpb.KeyValue;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Order, limit, filters and count, each in the plainest case. The model test has the rest. */
class RangeAssemblyTest {
  @TempDir Path directory;
  private MvccStore store;
  private ReadView view;

  /** Versions: a 1, b 3, c 2; mod revisions: a 2, b 7, c 6; create: a 2, b 3, c 5. */
  @BeforeEach
  void fill() {
    store = MvccStore.open(directory, MvccLimits.defaults());
    long index = 1;
    for (String key : List.of("a", "b", "b", "c", "c", "b")) {
      try (EntryBatch batch = store.begin(1, index)) {
        batch.put(utf8(key), utf8("v" + index), index);
        batch.finishCommand();
        batch.commit();
        index++;
      }
    }
    view = store.view();
  }

  @AfterEach
  void close() {
    view.close();
    store.close();
  }

  @Test
  void limitCutsAndCountGoesOn() {
    RangePage page = range(2, SortOrder.NONE, SortTarget.KEY, RevisionBounds.NONE);
    assertEquals(List.of("a", "b"), keys(page));
    assertEquals(3, page.count());
    assertEquals(true, page.more());
    RangePage whole = range(3, SortOrder.NONE, SortTarget.KEY, RevisionBounds.NONE);
    assertEquals(false, whole.more());
    assertEquals(3, whole.count());
  }

  @Test
  void explicitOrderSortsEverythingBeforeTheLimit() {
    RangePage page = range(1, SortOrder.DESCEND, SortTarget.KEY, RevisionBounds.NONE);
    assertEquals(List.of("c"), keys(page));
    page = range(1, SortOrder.ASCEND, SortTarget.VERSION, RevisionBounds.NONE);
    assertEquals(List.of("a"), keys(page));
    page = range(2, SortOrder.DESCEND, SortTarget.VERSION, RevisionBounds.NONE);
    assertEquals(List.of("b", "c"), keys(page));
    assertEquals(true, page.more());
    assertEquals(3, page.count());
  }

  @Test
  void noOrderWithAnotherTargetCutsByKeyFirst() {
    RangePage page = range(1, SortOrder.NONE, SortTarget.VERSION, RevisionBounds.NONE);
    // Of a and b, which is limit + 1, the one with the smaller version.
    assertEquals(List.of("a"), keys(page));
    RangePage two =
        view.range(
            new RangeQuery(
                new KeyRange(utf8("b"), utf8("z")),
                0,
                1,
                SortOrder.NONE,
                SortTarget.VERSION,
                false,
                false,
                RevisionBounds.NONE));
    assertEquals(List.of("c"), keys(two));
    assertEquals(false, page.count() == 2);
    assertEquals(2, two.count());
    assertEquals(true, two.more());
  }

  @Test
  void filtersCountAgainstTheLimitButNotTheCount() {
    RangePage page = range(1, SortOrder.NONE, SortTarget.KEY, new RevisionBounds(6, 0, 0, 0));
    assertEquals(List.of("b"), keys(page));
    assertEquals(true, page.more());
    assertEquals(3, page.count());
    page = range(1, SortOrder.NONE, SortTarget.KEY, new RevisionBounds(7, 7, 3, 3));
    assertEquals(List.of("b"), keys(page));
    assertEquals(false, page.more());
    assertEquals(3, page.count());
  }

  @Test
  void keysOnlyKeepsAllButTheValue() {
    RangePage page =
        view.range(
            new RangeQuery(
                KeyRange.single(utf8("c")),
                0,
                0,
                SortOrder.NONE,
                SortTarget.VALUE,
                true,
                false,
                RevisionBounds.NONE));
    KeyValue expected =
        KeyValue.newBuilder()
            .setKey(utf8("c"))
            .setCreateRevision(5)
            .setModRevision(6)
            .setVersion(2)
            .setLease(5)
            .build();
    assertEquals(List.of(expected), ReferenceStore.pairs(page));
  }

  @Test
  void countOnlyHasNothingElse() {
    RangePage page =
        view.range(
            new RangeQuery(
                KeyRange.ALL,
                5,
                1,
                SortOrder.NONE,
                SortTarget.KEY,
                false,
                true,
                new RevisionBounds(100, 0, 0, 0)));
    assertEquals(new RangePage(com.google.protobuf.ByteString.EMPTY, 0, 3, false), page);
  }

  private RangePage range(long limit, SortOrder order, SortTarget target, RevisionBounds bounds) {
    return view.range(new RangeQuery(KeyRange.ALL, 0, limit, order, target, false, false, bounds));
  }

  private static List<String> keys(RangePage page) {
    return ReferenceStore.pairs(page).stream().map(kv -> kv.getKey().toStringUtf8()).toList();
  }
}
