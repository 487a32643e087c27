package io.tidemark.server.watch;

import io.tidemark.server.rpc.Spliced;
import io.tidemark.watch.EncodedEvent;
import io.tidemark.watch.WatchMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The replies of one event loop. Streams that get the same events one after the other, which is
 * what many watchers of one range do, share one reply: its bytes are put together once.
 *
 * <p>Thread: that event loop. Keeps the last list of events, which is bounded as all lists are.
 */
final class LoopReplies {
  private final WatchReplies replies;
  private WatchMessage.@Nullable Events last;
  private long lastTerm;
  private @Nullable Spliced reply;
  private boolean shared;

  LoopReplies(WatchReplies replies) {
    this.replies = replies;
  }

  Spliced of(WatchMessage message) {
    return message instanceof WatchMessage.Events list ? events(list) : replies.of(message);
  }

  private Spliced events(WatchMessage.Events list) {
    Spliced known = reply;
    long term = replies.term();
    if (known == null || last == null || term != lastTerm || !same(last, list)) {
      known = replies.of(list);
      shared = false;
      last = list;
      lastTerm = term;
    } else if (!shared) {
      known = Spliced.of(known.joined());
      shared = true;
    }
    reply = known;
    return known;
  }

  /** Events are the same when they are the same objects: each is encoded once. */
  private static boolean same(WatchMessage.Events a, WatchMessage.Events b) {
    return a.watchId() == b.watchId()
        && a.revision() == b.revision()
        && a.fragment() == b.fragment()
        && same(a.events(), b.events());
  }

  @SuppressWarnings("ReferenceEquality")
  private static boolean same(List<EncodedEvent> a, List<EncodedEvent> b) {
    int size = a.size();
    if (size != b.size()) {
      return false;
    }
    for (int i = 0; i < size; i++) {
      if (a.get(i) != b.get(i)) {
        return false;
      }
    }
    return true;
  }
}
