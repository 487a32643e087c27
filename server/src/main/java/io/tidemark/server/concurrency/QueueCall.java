package io.tidemark.server.concurrency;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.protobuf.ByteString;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.TxnRequest;
import io.tidemark.server.access.Headers;
import io.tidemark.server.rpc.Reply;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A call that stands in a queue until its turn comes. When the call ends before that, whoever ended
 * it, its place is given up and its key is deleted.
 */
abstract class QueueCall {
  final Steps steps;
  final Headers headers;
  final Reply reply;
  final ByteString name;

  /** What ends the stay in the queue; null before it began and after it ended well. */
  @GuardedBy("this")
  private @Nullable Place place;

  QueueCall(Steps steps, Headers headers, ByteString name, Reply reply) {
    this.steps = steps;
    this.headers = headers;
    this.name = name;
    this.reply = reply;
  }

  private record Place(TxnRequest leave, @Nullable Turn turn) {}

  abstract CompletableFuture<Void> run();

  final void start() {
    reply.whenOver(this::leave);
    var unused =
        run()
            .exceptionally(
                failure -> {
                  leave();
                  RefusedException.report(reply, failure);
                  return null;
                });
  }

  /**
   * Notes that the key stands in the queue.
   *
   * @param revision its create revision
   */
  final synchronized void standsInQueue(ByteString key, long revision) {
    TxnRequest leave =
        TxnRequest.newBuilder()
            .addCompare(Keys.created(key, revision))
            .addSuccess(RequestOp.newBuilder().setRequestDeleteRange(Keys.delete(key)))
            .build();
    place = new Place(leave, null);
  }

  /** Waits until no older key is left. */
  final CompletableFuture<Void> turn(long revision) {
    Turn turn = Turn.at(steps, Keys.prefix(name), revision);
    boolean left;
    synchronized (this) {
      left = place == null;
      if (place != null) {
        place = new Place(place.leave, turn);
      }
    }
    if (left) {
      turn.close();
      return CompletableFuture.failedFuture(Steps.refused(EtcdError.CANCELED));
    }
    if (reply.isOver()) {
      leave();
    }
    return turn.comes();
  }

  /** The key stays: the call ends well. False if nobody waits for the answer any more. */
  final boolean keeps() {
    if (reply.isOver()) {
      leave();
      return false;
    }
    synchronized (this) {
      boolean here = place != null;
      place = null;
      return here;
    }
  }

  private void leave() {
    Place left;
    synchronized (this) {
      left = place;
      place = null;
    }
    if (left == null) {
      return;
    }
    if (left.turn != null) {
      left.turn.close();
    }
    var unused = steps.txn(left.leave).exceptionally(failure -> null);
  }
}
