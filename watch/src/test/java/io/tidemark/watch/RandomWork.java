package io.tidemark.watch;

import io.tidemark.mvcc.KeyRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What random clients ask for, over a dozen keys. */
final class RandomWork {
  private static final int KEYS = 12;

  private final Random random;

  RandomWork(Random random) {
    this.random = random;
  }

  /** Bounds small enough for every queue, list and ring to be full now and then. */
  WatchLimits limits() {
    return new WatchLimits(
        random.nextBoolean() ? 1 << 20 : 2_000,
        8 << random.nextInt(4),
        1_000 << random.nextInt(4),
        random.nextInt(4) == 0 ? 6_000 : 1 << 20,
        300 << random.nextInt(3),
        1 + random.nextInt(8),
        200 << random.nextInt(3),
        Duration.ofMillis(500));
  }

  /** The operations of one command, each on another key. */
  List<ModelHistory.Op> ops() {
    List<ModelHistory.Op> ops = new ArrayList<>();
    int count = random.nextInt(10) == 0 ? 1 + random.nextInt(KEYS) : 1;
    for (int i = 0; i < count; i++) {
      String key = key();
      boolean taken = ops.stream().anyMatch(op -> op.key().equals(key));
      if (!taken) {
        boolean delete = random.nextInt(4) == 0;
        ops.add(new ModelHistory.Op(key, delete ? null : "x".repeat(random.nextInt(60))));
      }
    }
    return ops;
  }

  /** A watch that starts now, soon, at the compact revision, in the past or nowhere. */
  WatchSpec spec(History member) {
    long now = member.revision();
    long start =
        switch (random.nextInt(5)) {
          case 0, 1 -> 0;
          case 2 -> now + random.nextInt(12);
          case 3 -> Math.max(1, member.compactRevision() - 1 + random.nextInt(3));
          default -> 1 + random.nextInt((int) now);
        };
    if (random.nextInt(40) == 0) {
      start = -1;
    }
    long id = random.nextInt(3) == 0 ? 1 + random.nextInt(6) : 0;
    return spec(start, id, random.nextInt(3) == 0);
  }

  WatchSpec spec(long start, long id, boolean fragment) {
    return new WatchSpec(
        range(),
        start,
        id,
        random.nextInt(3) == 0,
        random.nextInt(6) == 0,
        random.nextInt(6) == 0,
        random.nextBoolean(),
        fragment);
  }

  private KeyRange range() {
    String low = key();
    return switch (random.nextInt(4)) {
      case 0 -> WatchRig.key(low);
      case 1 -> WatchRig.range("k", "l");
      case 2 -> KeyRange.from(WatchRig.bytes(low));
      default -> WatchRig.range(low, key());
    };
  }

  private String key() {
    return "k" + (char) ('a' + random.nextInt(KEYS));
  }
}
