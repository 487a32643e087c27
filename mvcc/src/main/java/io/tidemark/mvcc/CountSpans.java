package io.tidemark.mvcc;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The buckets, or the groups, that the apply thread has met lately, as they are with all that was
 * written and with the entry in the making; the others are read when they are met. Bounded in
 * number: when it is full, it is emptied between two entries. Thread: apply.
 */
final class CountSpans {
  // About 300 bytes each: 5 MB.
  private static final int KNOWN_MAX = 16_384;

  private final Engine engine;
  private final byte code;
  private final NavigableMap<ByteString, CountSpan> known =
      new TreeMap<>(ByteString.unsignedLexicographicalComparator());

  CountSpans(Engine engine, byte code) {
    this.engine = engine;
    this.code = code;
  }

  /** Between two entries: what is known here is in the store too. */
  void trim() {
    if (known.size() > KNOWN_MAX) {
      known.clear();
    }
  }

  /** The span that {@code key} belongs to; the first one if there is none yet. */
  CountSpan covering(ByteString key) {
    Map.Entry<ByteString, CountSpan> near = known.floorEntry(key);
    if (near != null && near.getValue().contains(key)) {
      return near.getValue();
    }
    CountSpan read = read(key);
    known.put(read.start, read);
    return read;
  }

  /** The span that ends where this one begins, which isn't the first one. */
  CountSpan before(CountSpan span) {
    Map.Entry<ByteString, CountSpan> near = known.lowerEntry(span.start);
    if (near != null && span.start.equals(near.getValue().end)) {
      return near.getValue();
    }
    CountSpan read = readBefore(span.start);
    known.put(read.start, read);
    return read;
  }

  /** Cuts {@code span} at {@code at}; the caller says how many keys and buckets go over. */
  CountSpan split(CountSpan span, ByteString at, long keys, int buckets) {
    CountSpan upper = new CountSpan(at, span.end, keys, buckets);
    span.end = at;
    span.keys -= keys;
    span.buckets -= buckets;
    known.put(at, upper);
    return upper;
  }

  /** Makes {@code upper} part of {@code lower}, which ends where it begins. */
  void merge(CountSpan lower, CountSpan upper) {
    lower.end = upper.end;
    lower.keys += upper.keys;
    lower.buckets += upper.buckets;
    known.remove(upper.start);
  }

  void put(RawBatch batch, CountSpan span) {
    batch.put(
        engine.familyId(Family.COUNT), CountLayout.spanKey(code, span.start), span.encode(code));
  }

  void delete(RawBatch batch, CountSpan span) {
    batch.delete(engine.familyId(Family.COUNT), CountLayout.spanKey(code, span.start));
  }

  private CountSpan read(ByteString key) {
    byte[] at = CountLayout.spanKey(code, key);
    try (Scan scan = engine.scanBack(Family.COUNT, at)) {
      return scan.valid() && scan.key()[0] == code
          ? here(scan)
          : new CountSpan(ByteString.EMPTY, null, 0, code == CountLayout.GROUP ? 1 : 0);
    }
  }

  private CountSpan readBefore(ByteString start) {
    try (Scan scan = engine.scanBack(Family.COUNT, CountLayout.spanKey(code, start))) {
      if (scan.valid() && start.equals(startAt(scan))) {
        scan.previous();
      }
      if (!scan.valid() || scan.key()[0] != code) {
        throw new StoreFault("the first span of the counts is missing");
      }
      return here(scan);
    }
  }

  private CountSpan here(Scan scan) {
    ByteString start = Objects.requireNonNull(startAt(scan));
    byte[] row = scan.value();
    scan.next();
    return new CountSpan(start, startAt(scan), CountSpan.keys(row), CountSpan.buckets(row));
  }

  private @Nullable ByteString startAt(Scan scan) {
    if (!scan.valid()) {
      return null;
    }
    byte[] key = scan.key();
    return key[0] == code ? UnsafeByteOperations.unsafeWrap(CountLayout.spanStart(key)) : null;
  }
}
