package io.tidemark.server.maintenance;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.grpc.Status;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.SnapshotResponse;
import io.tidemark.mvcc.ReadView;
import io.tidemark.server.access.Replica;
import io.tidemark.server.rpc.Reply;
import io.tidemark.server.rpc.Spliced;
import io.tidemark.statemachine.backup.BackupFile;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * One backup on its way to a client. The view is pinned from the begin to the end of the call,
 * however it ends; a client that takes nothing for five minutes is let go, since what it pins can't
 * be reclaimed.
 *
 * <p>Thread: the backup's own, but {@link #stop} and the signals of the transport.
 */
final class SnapshotCall {
  /** etcd's size of a piece. */
  private static final int PIECE_BYTES = 32 * 1024;

  private static final Duration STALLED_MAX = Duration.ofMinutes(5);

  private final Reply reply;
  private final String storageVersion;
  private final byte[] piece = new byte[PIECE_BYTES];
  private Rests rests = () -> {};
  private int filled;
  private long remaining;

  @GuardedBy("this")
  private boolean stopped;

  SnapshotCall(Reply reply, String storageVersion) {
    this.reply = reply;
    this.storageVersion = storageVersion;
    reply.whenReady(this::wake);
    reply.whenOver(this::wake);
  }

  void run(Replica replica, long sortingBytes) {
    try (ReadView view = replica.view()) {
      BackupPace pace = new BackupPace(System.nanoTime(), replica.revision());
      rests = () -> rest(pace.restAt(System.nanoTime(), replica.revision()));
      BackupFile backup = BackupFile.measure(view, sortingBytes, (bytes, length) -> rests.rest());
      remaining = backup.bytes();
      byte[] digest = backup.writeTo(this::write);
      flush();
      awaitRoom();
      reply.send(message(UnsafeByteOperations.unsafeWrap(digest)));
    } catch (Ended ended) {
      // The client went away, or was told why by whoever ended it.
    } catch (IOException | RuntimeException e) {
      reply.fault(e);
    }
  }

  /** Ends the call. Any thread. */
  void stop() {
    reply.fail(EtcdError.STOPPED);
    synchronized (this) {
      stopped = true;
      notifyAll();
    }
  }

  private synchronized void wake() {
    notifyAll();
  }

  private void write(byte[] bytes, int length) throws IOException {
    for (int from = 0; from < length; ) {
      int part = Math.min(length - from, PIECE_BYTES - filled);
      System.arraycopy(bytes, from, piece, filled, part);
      filled += part;
      from += part;
      if (filled == PIECE_BYTES) {
        flush();
      }
    }
  }

  private void flush() throws IOException {
    if (filled == 0) {
      return;
    }
    rests.rest();
    awaitRoom();
    remaining -= filled;
    reply.sendPart(message(ByteString.copyFrom(piece, 0, filled)));
    filled = 0;
  }

  private Spliced message(ByteString blob) {
    return Spliced.of(
        SnapshotResponse.newBuilder()
            .setRemainingBytes(remaining)
            .setBlob(blob)
            .setVersion(storageVersion)
            .build()
            .toByteString());
  }

  private synchronized void rest(long nanos) throws Ended {
    long end = System.nanoTime() + nanos;
    goOn();
    for (long left = nanos; left > 0; left = end - System.nanoTime()) {
      try {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new Ended();
      }
      goOn();
    }
  }

  private synchronized void goOn() throws Ended {
    if (stopped || reply.isOver()) {
      throw new Ended();
    }
  }

  private synchronized void awaitRoom() throws Ended {
    long end = System.nanoTime() + STALLED_MAX.toNanos();
    goOn();
    while (!reply.isReady()) {
      long left = Duration.ofNanos(end - System.nanoTime()).toMillis();
      if (left <= 0) {
        reply.fail(
            Status.ABORTED.withDescription("etcdserver: snapshot not taken for five minutes"));
        throw new Ended();
      }
      try {
        wait(left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new Ended();
      }
      goOn();
    }
  }

  /** Called often; gives up when nobody waits any more. */
  @FunctionalInterface
  private interface Rests {
    void rest() throws Ended;
  }

  /** Nobody waits for the rest. */
  private static final class Ended extends IOException {
    private static final long serialVersionUID = 1L;
  }
}
