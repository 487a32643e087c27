package io.tidemark.watch;

import java.util.ArrayList;
import java.util.List;

/** Hands lists of events to streams. Thread: dispatcher. */
final class Delivery {
  private final long fragmentBytes;
  private final WatchCounters counters;

  Delivery(WatchLimits limits, WatchCounters counters) {
    this.fragmentBytes = limits.fragmentBytes();
    this.counters = counters;
  }

  /**
   * Queues one list for a watcher, whose cursor the caller moves.
   *
   * @param header last revision that the list covers
   * @return false when the stream's queue is full; then nothing was queued
   */
  boolean offer(Watcher watcher, List<EncodedEvent> events, long header) {
    EncodedEvent last = events.get(events.size() - 1);
    Invariants.atLeast(events.get(0).revision(), watcher.nextRevision(), "I2: event too old");
    Invariants.atLeast(header, last.revision(), "I6: header behind its events");
    if (!watcher.stream.outbox().offer(watcher.queue(), pieces(watcher, events, header))) {
      return false;
    }
    counters.events.add(events.size());
    watcher.eventsSinceTick = true;
    return true;
  }

  private List<WatchMessage.Events> pieces(
      Watcher watcher, List<EncodedEvent> events, long header) {
    if (!watcher.spec.fragment() || events.size() == 1 || size(events) < fragmentBytes) {
      return List.of(new WatchMessage.Events(watcher.id, header, events, false));
    }
    List<WatchMessage.Events> pieces = new ArrayList<>();
    int first = 0;
    long bytes = 0;
    for (int i = 0; i < events.size(); i++) {
      long size = events.get(i).size();
      if (i > first && bytes + size >= fragmentBytes) {
        pieces.add(new WatchMessage.Events(watcher.id, header, events.subList(first, i), true));
        first = i;
        bytes = 0;
      }
      bytes += size;
    }
    List<EncodedEvent> rest = events.subList(first, events.size());
    pieces.add(new WatchMessage.Events(watcher.id, header, rest, false));
    return pieces;
  }

  private static long size(List<EncodedEvent> events) {
    long sum = 0;
    for (EncodedEvent event : events) {
      sum += event.size();
    }
    return sum;
  }
}
