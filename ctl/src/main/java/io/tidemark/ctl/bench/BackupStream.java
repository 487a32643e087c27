package io.tidemark.ctl.bench;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.tidemark.api.etcdserverpb.SnapshotRequest;
import io.tidemark.api.etcdserverpb.SnapshotResponse;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;

/**
 * Takes one backup after another from the first member and drops what arrives, one message asked
 * for at a time as a client that writes a file does.
 *
 * <p>Thread: started and stopped by the thread that runs the load; messages arrive on an event
 * loop, which owns {@code call}.
 */
final class BackupStream extends ClientCall.Listener<byte[]> {
  private final Connections connections;
  private final Tally tally;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final LongAdder taken = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private volatile boolean stopped;
  private ClientCall<MessageLite, byte[]> call;

  /**
   * None is taken yet.
   *
   * @param tally counts backups that break off
   */
  BackupStream(Connections connections, Tally tally) {
    this.connections = connections;
    this.tally = tally;
    this.call = next();
  }

  private ClientCall<MessageLite, byte[]> next() {
    return connections.channel(0, 0).newCall(RawMethods.SNAPSHOT, CallOptions.DEFAULT);
  }

  void start() {
    call.start(this, new Metadata());
    call.request(1);
    call.sendMessage(SnapshotRequest.getDefaultInstance());
    call.halfClose();
  }

  /** Backups that came to their end. */
  long taken() {
    return taken.sum();
  }

  /** Of all backups, also of the one under way. */
  long bytes() {
    return bytes.sum();
  }

  /** Lets the one under way come to its end and waits for it. */
  void stop() throws InterruptedException {
    stopped = true;
    ended.await();
  }

  @Override
  public void onMessage(byte[] message) {
    try {
      bytes.add(SnapshotResponse.parseFrom(message).getBlob().size());
    } catch (InvalidProtocolBufferException e) {
      throw new UncheckedIOException(e);
    }
    call.request(1);
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    if (status.isOk()) {
      taken.increment();
    } else {
      tally.failed("backup: " + ClosedLoop.textOf(status));
    }
    if (stopped || !status.isOk()) {
      ended.countDown();
      return;
    }
    call = next();
    start();
  }
}
