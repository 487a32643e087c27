package io.tidemark.mvcc;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the nets of the runs of one level that make up one of the next, key by key. Thread:
 * count.
 *
 * <p>Single revisions are many and small, so they are collected in memory, as many keys at a time
 * as fit; runs are few and may be large, so they are merged.
 */
final class RunMerge {
  private static final int COLLECTED_KEYS_MAX = 65_536;

  private final Engine engine;
  private final int level;
  private final long first;
  private final BooleanSupplier stopped;

  RunMerge(Engine engine, int level, long first, BooleanSupplier stopped) {
    this.engine = engine;
    this.level = level;
    this.first = first;
    this.stopped = stopped;
  }

  /** Gives the keys whose nets don't add up to zero, ascending. */
  void into(ObjIntConsumer<byte[]> keys) {
    if (level > 1) {
      merge(keys);
      return;
    }
    byte[] from = {};
    while (from != null && !stopped.getAsBoolean()) {
      from = collect(from, keys);
    }
  }

  /** Returns the key to go on with, null if that was all. */
  private byte @Nullable [] collect(byte[] from, ObjIntConsumer<byte[]> keys) {
    NavigableMap<byte[], Integer> nets = new TreeMap<>(Arrays::compareUnsigned);
    byte[] bound = null;
    try (Scan scan = rows(0, first, first + engine.shape().revisions(1))) {
      for (; scan.valid() && !stopped.getAsBoolean(); scan.next()) {
        RunRow row = new RunRow(scan.key(), scan.value());
        do {
          if (row.isBelow(from) || (bound != null && !row.isBelow(bound))) {
            continue;
          }
          int net = row.net();
          nets.merge(row.key(), net, (sum, more) -> sum + more == 0 ? null : sum + more);
          if (nets.size() > COLLECTED_KEYS_MAX) {
            bound = nets.pollLastEntry().getKey();
          }
        } while (row.next());
      }
    }
    for (Map.Entry<byte[], Integer> entry : nets.entrySet()) {
      keys.accept(entry.getKey(), entry.getValue());
    }
    return bound;
  }

  private void merge(ObjIntConsumer<byte[]> keys) {
    PriorityQueue<Source> sources =
        new PriorityQueue<>(Comparator.comparing(Source::key, Arrays::compareUnsigned));
    try {
      long step = engine.shape().revisions(level - 1);
      for (int i = 0; i < engine.shape().fanOut(); i++) {
        long run = first + i * step;
        Source source = new Source(rows(level - 1, run, run + step));
        if (source.next()) {
          sources.add(source);
        } else {
          source.close();
        }
      }
      drain(sources, keys);
    } finally {
      sources.forEach(Source::close);
    }
  }

  private void drain(PriorityQueue<Source> sources, ObjIntConsumer<byte[]> keys) {
    byte[] key = {};
    int net = 0;
    for (Source least = sources.poll(); least != null; least = sources.poll()) {
      if (!Arrays.equals(key, least.key())) {
        if (net != 0) {
          keys.accept(key, net);
        }
        key = least.key();
        net = 0;
      }
      net += least.net();
      if (!stopped.getAsBoolean() && least.next()) {
        sources.add(least);
      } else {
        least.close();
      }
    }
    if (net != 0) {
      keys.accept(key, net);
    }
  }

  private Scan rows(int of, long from, long end) {
    return engine.scan(
        Family.COUNT, null, CountLayout.runKey(of, from), CountLayout.runKey(of, end), false);
  }

  /** The keys of one run. */
  private static final class Source implements AutoCloseable {
    private final Scan scan;
    private @Nullable RunRow row;
    private byte[] key = {};

    Source(Scan scan) {
      this.scan = scan;
    }

    boolean next() {
      RunRow current = row;
      if (current == null || !current.next()) {
        if (current != null) {
          scan.next();
        }
        if (!scan.valid()) {
          return false;
        }
        current = new RunRow(scan.key(), scan.value());
        row = current;
      }
      key = current.key();
      return true;
    }

    byte[] key() {
      return key;
    }

    int net() {
      RunRow current = row;
      return current == null ? 0 : current.net();
    }

    @Override
    public void close() {
      scan.close();
    }
  }
}
