package io.tidemark.ctl.bench;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.tidemark.api.etcdserverpb.WatchCreateRequest;
import io.tidemark.api.etcdserverpb.WatchRequest;
import io.tidemark.api.etcdserverpb.WatchResponse;
import io.tidemark.api.mvccpb.Event;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Watches a key space and counts the deletions of its keys.
 *
 * <p>Thread: opened and awaited by the thread that runs the load; answers arrive on an event loop.
 */
final class DeletionWatch extends ClientCall.Listener<byte[]> {
  private static final long CREATE_SECONDS = 30;

  private final int wanted;
  private final Tally tally;
  private final CountDownLatch created = new CountDownLatch(1);
  private final CountDownLatch begun = new CountDownLatch(1);
  private int seen;
  private long lastNanos;
  private Runnable complete = () -> {};

  /**
   * A watch that isn't open.
   *
   * @param wanted deletions that make it complete
   * @param tally counts what goes wrong
   */
  DeletionWatch(int wanted, Tally tally) {
    this.wanted = wanted;
    this.tally = tally;
  }

  void open(Connections connections, KeySpace keys) throws InterruptedException {
    ClientCall<MessageLite, byte[]> call =
        connections.channel(0, 0).newCall(RawMethods.WATCH, CallOptions.DEFAULT);
    call.start(this, new Metadata());
    call.request(Integer.MAX_VALUE);
    call.sendMessage(
        WatchRequest.newBuilder()
            .setCreateRequest(
                WatchCreateRequest.newBuilder()
                    .setKey(keys.prefixKey())
                    .setRangeEnd(keys.prefixEnd()))
            .build());
    if (!created.await(CREATE_SECONDS, TimeUnit.SECONDS)) {
      throw new LoadFailure("the watch was not confirmed: " + tally.errors());
    }
  }

  boolean hasBegun() {
    return begun.getCount() == 0;
  }

  /** Waits for the first deletion; false if there is none in time. */
  boolean awaitFirst(long nanos) throws InterruptedException {
    return begun.await(nanos, TimeUnit.NANOSECONDS);
  }

  /** Runs an action when all have been seen: at once, or on the event loop. */
  synchronized void whenComplete(Runnable action) {
    complete = action;
    if (seen >= wanted) {
      action.run();
    }
  }

  synchronized int seen() {
    return seen;
  }

  /** When the newest one arrived. */
  synchronized long lastNanos() {
    return lastNanos;
  }

  @Override
  public void onMessage(byte[] message) {
    WatchResponse response = parse(message);
    if (response.getCreated()) {
      created.countDown();
    }
    if (response.getCanceled()) {
      tally.failed("watch canceled by the server");
    }
    int deletions = 0;
    for (Event event : response.getEventsList()) {
      deletions += event.getType() == Event.EventType.DELETE ? 1 : 0;
    }
    if (deletions > 0) {
      count(deletions);
    }
  }

  private synchronized void count(int deletions) {
    seen += deletions;
    lastNanos = System.nanoTime();
    begun.countDown();
    if (seen >= wanted) {
      complete.run();
    }
  }

  private static WatchResponse parse(byte[] message) {
    try {
      return WatchResponse.parseFrom(message);
    } catch (InvalidProtocolBufferException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    tally.failed("watch stream ended: " + ClosedLoop.textOf(status));
  }
}
