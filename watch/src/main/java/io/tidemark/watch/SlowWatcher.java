package io.tidemark.watch;

import io.tidemark.mvcc.KeyRange;

/**
 * A watcher that is behind, as it was at one moment.
 *
 * @param watchId its id on its stream
 * @param owner whom the stream belongs to, as told by whoever opened it
 * @param range the keys it watches
 * @param victim whether its stream is full, so that it waits for its client; else it reads the past
 * @param nextRevision the next revision it wants to see
 */
public record SlowWatcher(
    long watchId, String owner, KeyRange range, boolean victim, long nextRevision) {
  static SlowWatcher of(Watcher watcher) {
    return new SlowWatcher(
        watcher.id,
        watcher.stream.owner(),
        watcher.spec.range(),
        watcher.state == WatcherState.VICTIM,
        watcher.nextRevision());
  }
}
