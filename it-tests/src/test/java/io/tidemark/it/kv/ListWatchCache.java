package io.tidemark.it.kv;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RangeResponse;
import io.tidemark.api.etcdserverpb.WatchCreateRequest;
import io.tidemark.api.etcdserverpb.WatchResponse;
import io.tidemark.api.mvccpb.Event;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.it.client.Attempt;
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.client.WatchProbe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A cache of all objects below a prefix, kept as Kubernetes does: a list in pages, all at the
 * revision of the first, then a watch from the revision after it; when that is compacted, again.
 * The test's thread owns it; progress may be requested by any thread.
 */
final class ListWatchCache implements AutoCloseable {
  private static final int PAGE = 500;
  private static final Duration ENDED = Duration.ofSeconds(30);

  /** A complete list. */
  record Listing(long revision, Map<ByteString, KeyValue> objects) {}

  /** A watch that is over, and everything that came on its stream. */
  record Watched(WatchCreateRequest request, List<WatchResponse> responses) {}

  private final MemberClient member;
  private final String prefix;
  private final Map<ByteString, KeyValue> objects = new HashMap<>();
  private final List<Listing> listings = new ArrayList<>();
  private final List<Watched> watches = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();
  private long revision;
  private @Nullable WatchCreateRequest request;
  private volatile @Nullable WatchProbe stream;

  ListWatchCache(MemberClient member, String prefix) {
    this.member = member;
    this.prefix = prefix;
  }

  /** Replaces the cache by what the store holds now; starts over when that is compacted. */
  void list() {
    boolean listed = false;
    while (!listed) {
      listed = listOnce();
    }
  }

  private boolean listOnce() {
    Map<ByteString, KeyValue> listed = new HashMap<>();
    ByteString from = ByteString.copyFromUtf8(prefix);
    long pinned = 0;
    long remaining = -1;
    while (true) {
      Attempt<RangeResponse> attempt = member.range(page(from, pinned));
      if (!attempt.answered() && pinned > 0 && isCompacted(attempt)) {
        return false;
      }
      RangeResponse answer = attempt.answer();
      if (pinned == 0) {
        pinned = answer.getHeader().getRevision();
        remaining = answer.getCount();
      }
      if (answer.getCount() != remaining) {
        faults.add("count " + answer.getCount() + " instead of " + remaining);
      }
      if (answer.getKvsCount() != Math.min(PAGE, remaining)) {
        faults.add("page of " + answer.getKvsCount() + " when " + remaining + " remained");
      }
      remaining -= answer.getKvsCount();
      if (answer.getMore() != (remaining > 0)) {
        faults.add("more=" + answer.getMore() + " when " + remaining + " remained");
      }
      for (KeyValue object : answer.getKvsList()) {
        listed.put(object.getKey(), object);
        from = object.getKey().concat(ByteString.copyFrom(new byte[] {0}));
      }
      if (!answer.getMore()) {
        listings.add(new Listing(pinned, listed));
        objects.clear();
        objects.putAll(listed);
        revision = pinned;
        return true;
      }
    }
  }

  private static boolean isCompacted(Attempt<?> attempt) {
    return attempt
        .outcome()
        .equals(
            Status.Code.OUT_OF_RANGE + " etcdserver: mvcc: required revision has been compacted");
  }

  private RangeRequest page(ByteString from, long pinned) {
    return RangeRequest.newBuilder()
        .setKey(from)
        .setRangeEnd(ByteString.copyFromUtf8(end()))
        .setLimit(PAGE)
        .setRevision(pinned)
        .build();
  }

  private String end() {
    int last = prefix.length() - 1;
    return prefix.substring(0, last) + (char) (prefix.charAt(last) + 1);
  }

  /** Opens a stream with one watch from the revision after the cache's. */
  void watch() {
    WatchCreateRequest create =
        WatchProbe.request(prefix, end(), revision + 1).setPrevKv(true).build();
    request = create;
    WatchProbe opened = member.watch();
    opened.create(create);
    opened.awaitCreated(0);
    stream = opened;
  }

  /** Asks the stream how far it is, if there is one. */
  synchronized void requestProgress() {
    WatchProbe current = stream;
    if (current != null) {
      current.requestProgress();
    }
  }

  /** What came on the present stream so far. */
  List<WatchResponse> responses() {
    WatchProbe current = stream;
    return current == null ? List.of() : current.responses();
  }

  /** Whether the present watch was told that its revision is compacted. */
  boolean isCanceled() {
    return responses().stream().anyMatch(WatchResponse::getCanceled);
  }

  /** Ends the stream, as a broken connection would, and takes in what came on it. */
  void drop() {
    WatchProbe current = stream;
    WatchCreateRequest created = request;
    if (current == null || created == null) {
      throw new IllegalStateException("no stream");
    }
    synchronized (this) {
      stream = null;
      current.close();
    }
    current.awaitEnd(ENDED);
    List<WatchResponse> responses = ofWatch(current.responses());
    responses.forEach(this::takeIn);
    watches.add(new Watched(created, responses));
  }

  /** Without what tells of the whole stream after its only watch was cancelled. */
  private static List<WatchResponse> ofWatch(List<WatchResponse> responses) {
    List<WatchResponse> own = new ArrayList<>();
    boolean canceled = false;
    for (WatchResponse response : responses) {
      canceled |= response.getCanceled();
      if (!canceled || response.getWatchId() >= 0) {
        own.add(response);
      }
    }
    return own;
  }

  private void takeIn(WatchResponse response) {
    for (Event event : response.getEventsList()) {
      KeyValue object = event.getKv();
      if (event.getType() == Event.EventType.DELETE) {
        objects.remove(object.getKey());
      } else {
        objects.put(object.getKey(), object);
      }
      revision = object.getModRevision();
    }
    boolean bookmark =
        response.getEventsCount() == 0 && !response.getCreated() && !response.getCanceled();
    if (bookmark && response.getHeader().getRevision() < revision) {
      faults.add("progress " + response.getHeader().getRevision() + " after event " + revision);
    }
  }

  /** How far the cache is: the list's revision, or that of the newest event taken in. */
  long revision() {
    return revision;
  }

  Map<ByteString, KeyValue> objects() {
    return Map.copyOf(objects);
  }

  List<Listing> listings() {
    return List.copyOf(listings);
  }

  List<Watched> watches() {
    return List.copyOf(watches);
  }

  /** Pages and bookmarks that aren't what was promised. */
  List<String> faults() {
    return List.copyOf(faults);
  }

  @Override
  public void close() {
    WatchProbe current = stream;
    if (current != null) {
      current.close();
    }
  }
}
