/**
 * Watchers and how they are fed: the ring of recent revisions, the dispatcher, cursors over history
 * and progress notifications.
 *
 * <p>Must not know a transport, Raft, or the state machine; a stream is an interface that the edge
 * implements. Depends on {@code mvcc} only. The apply thread publishes in constant time and never
 * touches a watcher; everything else is owned by the dispatcher thread.
 */
@NullMarked
package io.tidemark.watch;

import org.jspecify.annotations.NullMarked;
