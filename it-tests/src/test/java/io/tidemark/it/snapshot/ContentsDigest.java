package io.tidemark.it.snapshot;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RangeResponse;
import io.tidemark.api.etcdserverpb.WatchCreateRequest;
import io.tidemark.api.etcdserverpb.WatchGrpc;
import io.tidemark.api.etcdserverpb.WatchRequest;
import io.tidemark.api.etcdserverpb.WatchResponse;
import io.tidemark.api.mvccpb.Event;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.it.client.MemberClient;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * As {@link Contents}, for stores that are too large to hold: digests of all pairs at some
 * revisions and of every event from the compact revision on; the leases with their keys.
 */
record ContentsDigest(
    long compacted, long revision, List<String> pairs, String events, List<String> leases) {
  private static final ByteString EVERYTHING = ByteString.copyFrom(new byte[] {0});
  private static final int READS = 3;
  private static final int PAGE = 5_000;
  private static final long EVENTS_SECONDS = 120;

  /** What a member shows now. */
  static ContentsDigest of(MemberClient client, long compacted) throws Exception {
    long revision = Contents.revision(client);
    List<String> pairs = new ArrayList<>();
    for (int i = 0; i <= READS; i++) {
      pairs.add(pairs(client, compacted + (revision - compacted) * i / READS));
    }
    return new ContentsDigest(
        compacted, revision, pairs, events(client, compacted, revision), Contents.leases(client));
  }

  private static String pairs(MemberClient client, long revision) {
    Sum sum = new Sum();
    ByteString from = EVERYTHING;
    boolean more = true;
    while (more) {
      RangeResponse page =
          client
              .range(
                  RangeRequest.newBuilder()
                      .setKey(from)
                      .setRangeEnd(EVERYTHING)
                      .setRevision(revision)
                      .setLimit(PAGE)
                      .build())
              .answer();
      for (KeyValue pair : page.getKvsList()) {
        sum.add(pair);
        from = pair.getKey().concat(EVERYTHING);
      }
      more = page.getMore();
    }
    return "pairs at " + revision + ": " + sum.text();
  }

  private static String events(MemberClient client, long from, long until) throws Exception {
    Events events = new Events(until);
    var requests = WatchGrpc.newStub(client.channel()).watch(events);
    requests.onNext(
        WatchRequest.newBuilder()
            .setCreateRequest(
                WatchCreateRequest.newBuilder()
                    .setKey(EVERYTHING)
                    .setRangeEnd(EVERYTHING)
                    .setStartRevision(from))
            .build());
    try {
      return events.all.get(EVENTS_SECONDS, TimeUnit.SECONDS);
    } finally {
      events.cancel();
    }
  }

  /** One watch from the oldest to the newest revision. */
  private static final class Events implements ClientResponseObserver<WatchRequest, WatchResponse> {
    final CompletableFuture<String> all = new CompletableFuture<>();
    private final long until;
    private final Sum sum = new Sum();
    private volatile @Nullable ClientCallStreamObserver<WatchRequest> call;

    Events(long until) {
      this.until = until;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<WatchRequest> stream) {
      call = stream;
    }

    @Override
    public void onNext(WatchResponse response) {
      for (Event event : response.getEventsList()) {
        sum.add(event);
      }
      int count = response.getEventsCount();
      if (count > 0 && response.getEvents(count - 1).getKv().getModRevision() >= until) {
        all.complete(sum.text());
      }
    }

    @Override
    public void onError(Throwable failure) {
      all.completeExceptionally(failure);
    }

    @Override
    public void onCompleted() {
      all.completeExceptionally(new AssertionError("the watch ended"));
    }

    void cancel() {
      ClientCallStreamObserver<WatchRequest> stream = call;
      if (stream != null) {
        stream.cancel("seen enough", null);
      }
    }
  }

  /** Number and digest of messages in order. */
  private static final class Sum {
    private final MessageDigest digest = sha256();
    private long count;

    void add(MessageLite message) {
      digest.update(message.toByteArray());
      count++;
    }

    String text() {
      return count + ", " + HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
      try {
        return MessageDigest.getInstance("SHA-256");
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every Java platform has SHA-256", e);
      }
    }
  }
}
