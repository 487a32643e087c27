package io.tidemark.mvcc;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the number of keys of each bucket and of each group of buckets. A group begins where one of
 * its buckets begins.
 *
 * <p>What has grown too large is split when an entry comes to it the next time, so that the keys to
 * split at are in the store; what has shrunk is joined with its neighbour. What is known here is
 * ahead of the store by the entry that is being written: if that fails, the store has failed.
 * Thread: apply.
 */
final class CountBuckets {
  private final Engine engine;
  private final CountShape shape;
  private final CountSpans buckets;
  private final CountSpans groups;

  CountBuckets(Engine engine) {
    this.engine = engine;
    this.shape = engine.shape();
    this.buckets = new CountSpans(engine, CountLayout.BUCKET);
    this.groups = new CountSpans(engine, CountLayout.GROUP);
  }

  /** Adds the rows that go with the keys an entry made or removed. */
  void count(NavigableMap<ByteString, KeyChain> changed, RawBatch batch) {
    buckets.trim();
    groups.trim();
    Walk walk = new Walk(batch);
    for (Map.Entry<ByteString, KeyChain> entry : changed.entrySet()) {
      KeyChain chain = entry.getValue();
      int net = (chain.newest() == null ? 0 : 1) - (chain.base() == null ? 0 : 1);
      if (net != 0) {
        walk.add(entry.getKey(), net);
      }
    }
    walk.finish();
  }

  /** One pass over the keys of an entry, ascending. */
  private final class Walk {
    private final RawBatch batch;
    private @Nullable CountSpan bucket;
    private @Nullable CountSpan group;
    private boolean shrunk;

    Walk(RawBatch batch) {
      this.batch = batch;
    }

    void add(ByteString key, int net) {
      CountSpan at = bucket;
      if (at == null || !at.contains(key)) {
        at = enter(key);
      }
      at.keys += net;
      owner(key).keys += net;
      shrunk |= net < 0;
    }

    private CountSpan enter(ByteString key) {
      leaveBucket();
      CountSpan owner = group;
      if (owner == null || !owner.contains(key)) {
        leaveGroup();
        owner = groups.covering(key);
        if (owner.buckets > shape.groupBuckets()) {
          splitGroup(owner);
          owner = groups.covering(key);
        }
        group = owner;
      }
      CountSpan found = buckets.covering(key);
      if (found.keys > shape.bucketKeys()) {
        splitBucket(found, owner);
        found = buckets.covering(key);
      }
      bucket = found;
      return found;
    }

    private CountSpan owner(ByteString key) {
      CountSpan owner = group;
      if (owner == null || !owner.contains(key)) {
        throw new StoreFault("a bucket lies outside its group");
      }
      return owner;
    }

    void finish() {
      leaveBucket();
      leaveGroup();
    }

    private void leaveBucket() {
      CountSpan left = bucket;
      CountSpan owner = group;
      bucket = null;
      if (left == null || owner == null) {
        return;
      }
      boolean joins = shrunk && left.keys < CountShape.half(shape.bucketKeys()) / 4 + 1;
      shrunk = false;
      if (joins && !left.start.equals(owner.start)) {
        CountSpan lower = buckets.before(left);
        if (lower.keys + left.keys <= CountShape.half(shape.bucketKeys())) {
          buckets.merge(lower, left);
          buckets.delete(batch, left);
          owner.buckets--;
          left = lower;
        }
      }
      buckets.put(batch, left);
    }

    private void leaveGroup() {
      CountSpan left = group;
      group = null;
      if (left == null) {
        return;
      }
      if (left.buckets < CountShape.half(shape.groupBuckets()) / 4 + 1 && !left.start.isEmpty()) {
        CountSpan lower = groups.before(left);
        if (lower.buckets + left.buckets <= CountShape.half(shape.groupBuckets())) {
          groups.merge(lower, left);
          groups.delete(batch, left);
          left = lower;
        }
      }
      groups.put(batch, left);
    }

    private void splitBucket(CountSpan whole, CountSpan owner) {
      int half = CountShape.half(shape.bucketKeys());
      CountSpan rest = whole;
      byte[] from = whole.start.toByteArray();
      byte[] end = whole.end == null ? null : whole.end.toByteArray();
      try (Scan live = engine.scan(Family.LIVE, null, from, end, true)) {
        for (int passed = 0; rest.keys >= 2L * half; live.next(), passed++) {
          if (passed == half) {
            passed = 0;
            CountSpan upper = buckets.split(rest, keyAt(live, 0), rest.keys - half, 0);
            buckets.put(batch, rest);
            owner.buckets++;
            rest = upper;
          }
        }
      }
      buckets.put(batch, rest);
    }

    private void splitGroup(CountSpan whole) {
      int half = CountShape.half(shape.groupBuckets());
      CountSpan rest = whole;
      byte[] from = CountLayout.spanKey(CountLayout.BUCKET, whole.start);
      byte[] end =
          whole.end == null
              ? CountLayout.afterSpans(CountLayout.BUCKET)
              : CountLayout.spanKey(CountLayout.BUCKET, whole.end);
      try (Scan scan = engine.scan(Family.COUNT, null, from, end, true)) {
        long keys = 0;
        for (int passed = 0; rest.buckets >= 2 * half; scan.next(), passed++) {
          if (passed == half) {
            passed = 0;
            int buckets = rest.buckets - half;
            CountSpan upper = groups.split(rest, keyAt(scan, 1), rest.keys - keys, buckets);
            groups.put(batch, rest);
            keys = 0;
            rest = upper;
          }
          keys += CountSpan.keys(scan.value());
        }
      }
      groups.put(batch, rest);
    }

    private ByteString keyAt(Scan scan, int offset) {
      if (!scan.valid()) {
        throw new StoreFault("the counts don't agree with the keys");
      }
      byte[] key = scan.key();
      return UnsafeByteOperations.unsafeWrap(key, offset, key.length - offset);
    }
  }
}
