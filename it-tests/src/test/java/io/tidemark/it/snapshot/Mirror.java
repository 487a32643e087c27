package io.tidemark.it.snapshot;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.protobuf.ByteString;
import io.grpc.stub.StreamObserver;
import io.tidemark.api.etcdserverpb.WatchCreateRequest;
import io.tidemark.api.etcdserverpb.WatchGrpc;
import io.tidemark.api.etcdserverpb.WatchRequest;
import io.tidemark.api.etcdserverpb.WatchResponse;
import io.tidemark.api.mvccpb.Event;
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.process.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A copy of all keys with a prefix, kept by a watch on one member from revision 1. When the stream
 * ends, another is opened after the last revision seen, as clients do, and waits for the member to
 * be back. Callbacks of gRPC own the state; any thread may read or wait.
 */
final class Mirror implements AutoCloseable {
  private final MemberClient member;
  private final ByteString prefix;

  @GuardedBy("this")
  private final Map<String, ByteString> files = new HashMap<>();

  @GuardedBy("this")
  private final List<Event> events = new ArrayList<>();

  @GuardedBy("this")
  private final List<String> faults = new ArrayList<>();

  @GuardedBy("this")
  private long seen;

  @GuardedBy("this")
  private int streams;

  @GuardedBy("this")
  private boolean closed;

  private Mirror(MemberClient member, String prefix) {
    this.member = member;
    this.prefix = ByteString.copyFromUtf8(prefix);
  }

  /** Starts watching at once. */
  static Mirror of(MemberClient member, String prefix) {
    Mirror mirror = new Mirror(member, prefix);
    mirror.follow();
    return mirror;
  }

  /** Content by name, without the prefix. */
  synchronized Map<String, ByteString> files() {
    return Map.copyOf(files);
  }

  /** Every event in the order of its arrival, over all streams. */
  synchronized List<Event> events() {
    return List.copyOf(events);
  }

  /** What no watch may do. */
  synchronized List<String> faults() {
    return List.copyOf(faults);
  }

  /** How many streams were opened. */
  synchronized int streams() {
    return streams;
  }

  /** The newest revision that an event had. */
  synchronized long seen() {
    return seen;
  }

  void await(long revision, Duration limit) {
    Await.until("an event at " + revision, limit, () -> seen() >= revision);
  }

  private void follow() {
    long start;
    synchronized (this) {
      if (closed) {
        return;
      }
      streams++;
      start = seen + 1;
    }
    StreamObserver<WatchRequest> stream =
        WatchGrpc.newStub(member.channel()).withWaitForReady().watch(new Stream());
    stream.onNext(
        WatchRequest.newBuilder()
            .setCreateRequest(
                WatchCreateRequest.newBuilder()
                    .setKey(prefix)
                    .setRangeEnd(after(prefix))
                    .setStartRevision(start)
                    .setPrevKv(true))
            .build());
  }

  private static ByteString after(ByteString prefix) {
    int last = prefix.size() - 1;
    byte next = (byte) (prefix.byteAt(last) + 1);
    return prefix.substring(0, last).concat(ByteString.copyFrom(new byte[] {next}));
  }

  private synchronized void accept(WatchResponse response) {
    if (response.getCanceled()) {
      faults.add("canceled: " + response);
    }
    if (response.getEventsCount() == 0) {
      return;
    }
    long first = response.getEvents(0).getKv().getModRevision();
    if (first <= seen) {
      faults.add("a list that begins at " + first + " after " + seen);
    }
    for (Event event : response.getEventsList()) {
      apply(event);
    }
  }

  @GuardedBy("this")
  private void apply(Event event) {
    events.add(event);
    seen = Math.max(seen, event.getKv().getModRevision());
    String name = event.getKv().getKey().substring(prefix.size()).toStringUtf8();
    if (event.getType() == Event.EventType.DELETE) {
      if (files.remove(name) == null) {
        faults.add("deleted, but never there: " + name);
      }
    } else {
      files.put(name, event.getKv().getValue());
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
  }

  private final class Stream implements StreamObserver<WatchResponse> {
    @Override
    public void onNext(WatchResponse response) {
      accept(response);
    }

    @Override
    public void onError(Throwable failure) {
      follow();
    }

    @Override
    public void onCompleted() {
      follow();
    }
  }
}
