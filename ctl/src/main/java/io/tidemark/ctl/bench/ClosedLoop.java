package io.tidemark.ctl.bench;

import com.google.protobuf.MessageLite;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Callers that begin their next operation when the one before has ended. Each call is attempted
 * once; a failed operation is counted and the caller goes on with a new one a little later.
 *
 * <p>Thread: {@link #start} and {@link #stop} from the thread that runs the load; callers live on
 * the event loops.
 */
final class ClosedLoop {
  static final long PAUSE_AFTER_ERROR_MILLIS = 10;

  private final Connections connections;
  private final Tally tally;
  private final List<Caller> callers = new ArrayList<>();
  private final CountDownLatch running;
  private volatile boolean stopped;

  ClosedLoop(Connections connections, Tally tally, List<Operation> operations) {
    this.connections = connections;
    this.tally = tally;
    this.running = new CountDownLatch(operations.size());
    for (Operation operation : operations) {
      callers.add(new Caller(callers.size(), operation));
    }
  }

  void start() {
    callers.forEach(Caller::begin);
  }

  /** Lets every caller end its operation; returns how many had not after {@code graceNanos}. */
  long stop(long graceNanos) throws InterruptedException {
    stopped = true;
    return running.await(graceNanos, TimeUnit.NANOSECONDS) ? 0 : running.getCount();
  }

  static String textOf(Status status) {
    String description = status.getDescription();
    Throwable cause = status.getCause();
    return status.getCode()
        + (description == null ? "" : ": " + description)
        + (cause == null || cause.getMessage() == null ? "" : " (" + cause.getMessage() + ")");
  }

  /** One closed loop; also the listener of its only call. Fields belong to that call's thread. */
  private final class Caller extends ClientCall.Listener<byte[]> {
    private final int number;
    private final Operation operation;
    private int turn;
    private long begun;
    private byte @Nullable [] answer;

    Caller(int number, Operation operation) {
      this.number = number;
      this.operation = operation;
    }

    void begin() {
      if (stopped) {
        running.countDown();
        return;
      }
      begun = System.nanoTime();
      turn++;
      send(operation.first());
    }

    private void send(Operation.Step step) {
      answer = null;
      ClientCall<MessageLite, byte[]> call =
          connections.channel(number, turn).newCall(step.method(), CallOptions.DEFAULT);
      call.start(this, new Metadata());
      call.request(2);
      call.sendMessage(step.request());
      call.halfClose();
    }

    @Override
    public void onMessage(byte[] message) {
      answer = message;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      if (!status.isOk() || answer == null) {
        tally.failed(textOf(status));
        retire();
        return;
      }
      Operation.Step next = operation.after(answer);
      if (next != null) {
        send(next);
        return;
      }
      tally.done(System.nanoTime() - begun);
      begin();
    }

    private void retire() {
      if (stopped) {
        running.countDown();
        return;
      }
      connections.later(this::begin, PAUSE_AFTER_ERROR_MILLIS);
    }
  }
}
