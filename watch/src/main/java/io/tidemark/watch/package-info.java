/**
 * Watchers and how they are fed: the ring of recent revisions, the dispatcher, cursors over history
 * and progress notifications.
 *
 * <p>Must not know a transport, Raft, the state machine or the client API's messages: a stream's
 * owner pulls {@link io.tidemark.watch.WatchMessage}s and writes them where it likes. Depends on
 * {@code mvcc} only; {@code raft-core} feeds it, {@code server} reads from it.
 *
 * <p>Threads. The apply thread publishes in constant time and never touches a watcher. The
 * dispatcher thread owns every watcher, the index of live watchers and the set of lagging ones;
 * requests reach it through each stream's inbox. Cursor threads own one catch-up job at a time and
 * hand it back. A stream's outbox is the only thing shared with the transport, under its own lock.
 */
@NullMarked
package io.tidemark.watch;

import org.jspecify.annotations.NullMarked;
