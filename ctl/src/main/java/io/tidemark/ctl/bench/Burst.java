package io.tidemark.ctl.bench;

import com.google.protobuf.MessageLite;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Calls that prepare a load, or clean up after it: many at once, none of which may fail. Blocks
 * while as many as allowed are under way.
 *
 * <p>Thread: the one that runs the load.
 */
final class Burst {
  private static final int CALLS_MAX = 256;
  private static final long CALL_SECONDS = 30;

  private final Connections connections;
  private final Semaphore room = new Semaphore(CALLS_MAX);
  private final AtomicReference<@Nullable Status> failure = new AtomicReference<>();
  private int turn;

  Burst(Connections connections) {
    this.connections = connections;
  }

  /**
   * Begins a call.
   *
   * @throws LoadFailure if one before has failed
   */
  void call(MethodDescriptor<MessageLite, byte[]> method, MessageLite request)
      throws InterruptedException {
    take(1);
    ClientCall<MessageLite, byte[]> call =
        connections.channel(turn, turn).newCall(method, CallOptions.DEFAULT);
    turn++;
    call.start(new End(), new Metadata());
    call.request(2);
    call.sendMessage(request);
    call.halfClose();
  }

  /** Waits for the calls that are under way. */
  void await() throws InterruptedException {
    take(CALLS_MAX);
    room.release(CALLS_MAX);
  }

  private void take(int places) throws InterruptedException {
    boolean free = room.tryAcquire(places, CALL_SECONDS, TimeUnit.SECONDS);
    Status failed = failure.get();
    if (failed != null) {
      throw new LoadFailure("around the load: " + ClosedLoop.textOf(failed));
    }
    if (!free) {
      throw new LoadFailure("around the load: a call got no answer");
    }
  }

  private final class End extends ClientCall.Listener<byte[]> {
    @Override
    public void onClose(Status status, Metadata trailers) {
      if (!status.isOk()) {
        failure.compareAndSet(null, status);
      }
      room.release();
    }
  }
}
