package io.tidemark.mvcc;

import com.google.protobuf.ByteString;
import io.tidemark.api.mvccpb.KeyValue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Gets, pages and counts, at the newest revision and 10,000 revisions back. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 5)
@Measurement(iterations = 3, time = 5)
@Fork(1)
public class ReadBench {
  private static final int PAGE = 500;

  @Param({"1000000", "10000000"})
  public int keys;

  @Param({"256"})
  public int valueBytes;

  private @Nullable FilledStore filled;
  private @Nullable ReadView view;

  @Setup
  public void open() throws Exception {
    FilledStore opened = FilledStore.open(keys, valueBytes);
    filled = opened;
    view = opened.store.view();
  }

  @TearDown
  public void close() {
    view().close();
    filled().close();
  }

  @Benchmark
  public @Nullable KeyValue get() {
    return view().get(filled().anyKey(), 0);
  }

  @Benchmark
  public RangePage pageOf500WithCountNow() {
    return page(0);
  }

  @Benchmark
  public RangePage pageOf500WithCount10kBack() {
    return page(filled().past());
  }

  @Benchmark
  public RangePage namespaceNow() {
    return namespace(0);
  }

  @Benchmark
  public RangePage namespace10kBack() {
    return namespace(filled().past());
  }

  @Benchmark
  public long countNow() {
    return view().count(KeyRange.from(filled().anyKey()), 0);
  }

  @Benchmark
  public long count10kBack() {
    return view().count(KeyRange.from(filled().anyKey()), filled().past());
  }

  /** As a client pages through everything: from some key to the end of the prefix. */
  private RangePage page(long revision) {
    ByteString from = filled().anyKey();
    KeyRange range = new KeyRange(from, ByteString.copyFromUtf8("/registry/pods0"));
    return view().range(query(range, revision, PAGE));
  }

  /** A namespace holds a thousandth of the keys; its first page. */
  private RangePage namespace(long revision) {
    ByteString key = filled().anyKey();
    ByteString prefix = key.substring(0, "/registry/pods/namespace-000/".length());
    return view().range(query(KeyRange.prefix(prefix), revision, PAGE));
  }

  private static RangeQuery query(KeyRange range, long revision, long limit) {
    return new RangeQuery(
        range, revision, limit, SortOrder.NONE, SortTarget.KEY, false, false, RevisionBounds.NONE);
  }

  private ReadView view() {
    return java.util.Objects.requireNonNull(view);
  }

  private FilledStore filled() {
    return java.util.Objects.requireNonNull(filled);
  }
}
