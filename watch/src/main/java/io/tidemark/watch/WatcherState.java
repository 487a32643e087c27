package io.tidemark.watch;

/** Where a watcher gets its events from. */
enum WatcherState {
  /** Fed by the dispatcher; has seen everything it dispatched. */
  SYNCED,
  /** Behind: a catch-up job reads the ring or the disk for it. */
  UNSYNCED,
  /** Behind, and its stream's queue is full: waits at its cursor until the queue drains. */
  VICTIM,
  /** Gets nothing any more; its id is taken until the client cancels it or the stream ends. */
  ENDED
}
