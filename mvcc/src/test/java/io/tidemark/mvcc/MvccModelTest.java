package io.tidemark.mvcc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;

/** The store against the reference, over random entries, compactions, restarts and crashes. */
class MvccModelTest {
  private static final List<ByteString> KEYS =
      Stream.of("", "\0", "a", "a\0", "a\0\0b", "a\u0001", "ab", "b", "b\u007f", "c")
          .map(ByteString::copyFromUtf8)
          .toList();
  private static final ByteString HIGH = ByteString.copyFrom(new byte[] {(byte) 0xff, 0, 1});

  // Slices of three rows and a memory of nothing: every path of compaction is walked.
  private static final MvccLimits LIMITS = MvccLimits.defaults().withSlices(3, 1);

  @Property(tries = 60, shrinking = ShrinkingMode.BOUNDED)
  void equalsTheReference(
      @ForAll("steps") List<Step> steps, @ForAll("queryLists") List<RangeQuery> queries)
      throws IOException {
    Path directory = Files.createTempDirectory("mvcc-model");
    try (ModelRun run = new ModelRun(directory, LIMITS)) {
      for (Step step : steps) {
        step.on(run);
        run.checkCounts(queries.stream().map(RangeQuery::range).toList());
        try (ReadView view = run.store().view()) {
          queries.forEach(query -> ModelRun.checkQuery(view, run.reference(), query));
        }
      }
      run.check();
      int before = digest(run.store());
      run.awaitSweep();
      run.check();
      assertEquals(before, digest(run.store()));
      run.reopen();
      run.check();
      assertEquals(before, digest(run.store()));
      run.checkLoaded();
    } finally {
      deleteTree(directory);
    }
  }

  private static int digest(MvccStore store) {
    try (ReadView view = store.view()) {
      return view.digest(0).hash();
    }
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    return Arbitraries.<Step>frequencyOf(
            Tuple.of(12, entries()),
            Tuple.of(
                4,
                Arbitraries.of(
                    Step.Plain.ADVANCE,
                    Step.Plain.FLUSH,
                    Step.Plain.AWAIT_SWEEP,
                    Step.Plain.AWAIT_RUNS)),
            Tuple.of(2, Arbitraries.of(Step.Plain.CRASH, Step.Plain.REOPEN, Step.Plain.CHECKPOINT)))
        .list()
        .ofMinSize(1)
        .ofMaxSize(14);
  }

  @Provide
  Arbitrary<List<RangeQuery>> queryLists() {
    return queries().list().ofMinSize(8).ofMaxSize(16);
  }

  private Arbitrary<Step> entries() {
    Arbitrary<Step.Op> ops =
        Arbitraries.frequencyOf(
            Tuple.of(6, puts()),
            Tuple.of(2, ranges().map(Step.Delete::new)),
            Tuple.of(3, queries().map(Step.Read::new)));
    Arbitrary<Integer> compactions =
        Arbitraries.frequency(
            Tuple.of(8, Step.Command.NONE), Tuple.of(1, 0), Tuple.of(1, 1), Tuple.of(1, 3));
    return Combinators.combine(ops.list().ofMaxSize(5), compactions)
        .as(Step.Command::new)
        .list()
        .ofMaxSize(4)
        .map(Step.Entry::new);
  }

  private Arbitrary<Step.Op> puts() {
    Arbitrary<ByteString> values =
        Arbitraries.of("", "x", "y", "long value").map(ByteString::copyFromUtf8);
    return Combinators.combine(keys(), values, Arbitraries.longs().between(0, 2)).as(Step.Put::new);
  }

  private Arbitrary<RangeQuery> queries() {
    Arbitrary<RevisionBounds> bounds =
        Arbitraries.oneOf(
            Arbitraries.just(RevisionBounds.NONE),
            Combinators.combine(bound(), bound(), bound(), bound()).as(RevisionBounds::new));
    return Combinators.combine(
            ranges(),
            Arbitraries.longs().between(-1, 30),
            Arbitraries.longs().between(-1, 5),
            Arbitraries.of(SortOrder.class),
            Arbitraries.of(SortTarget.class),
            Arbitraries.of(true, false),
            Arbitraries.frequency(Tuple.of(1, true), Tuple.of(5, false)),
            bounds)
        .as(RangeQuery::new);
  }

  private static Arbitrary<Long> bound() {
    return Arbitraries.frequencyOf(
        Tuple.of(2, Arbitraries.just(0L)), Tuple.of(1, Arbitraries.longs().between(1, 20)));
  }

  private Arbitrary<KeyRange> ranges() {
    Arbitrary<KeyRange> bounded = Combinators.combine(keys(), keys()).as(KeyRange::new);
    return Arbitraries.oneOf(
        keys().map(KeyRange::single),
        keys().map(KeyRange::from),
        keys().map(KeyRange::prefix),
        bounded,
        Arbitraries.just(KeyRange.ALL));
  }

  private static Arbitrary<ByteString> keys() {
    return Arbitraries.frequencyOf(
        Tuple.of(9, Arbitraries.of(KEYS)), Tuple.of(1, Arbitraries.just(HIGH)));
  }

  static void deleteTree(Path root) throws IOException {
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
