package io.tidemark.it.tape;

import io.tidemark.api.etcdserverpb.WatchCreateRequest;
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.process.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tapes everything that happens, as one member tells it: one watch on all keys from revision 1,
 * opened again after its last event whenever it ends. One thread of its own.
 */
public final class AccountKeeper implements AutoCloseable {
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final long ID = 1;

  private final int member;
  private final Supplier<MemberClient> client;
  private final List<Tape> tapes = new CopyOnWriteArrayList<>();
  private final Thread thread;
  private volatile @Nullable TapedStream current;
  private volatile long seen;
  private volatile boolean stopped;

  private AccountKeeper(int member, Supplier<MemberClient> client) {
    this.member = member;
    this.client = client;
    this.thread = new Thread(this::run, "it-account-" + member);
    thread.setDaemon(true);
  }

  /** Starts one; the client is asked for anew with each stream. */
  public static AccountKeeper start(int member, Supplier<MemberClient> client) {
    AccountKeeper keeper = new AccountKeeper(member, client);
    keeper.thread.start();
    return keeper;
  }

  private void run() {
    long from = 1;
    try {
      while (!stopped) {
        MemberClient to = client.get();
        to.redial();
        TapedStream stream =
            TapedStream.open(
                member, Tape.Purpose.ACCOUNT, to.channel(), List.of(everythingFrom(from)));
        current = stream;
        while (!stopped && !stream.ended()) {
          stream.awaitEnd(LOOK);
          seen = Math.max(seen, stream.lastRevision());
        }
        stream.close();
        seen = Math.max(seen, stream.lastRevision());
        tapes.add(stream.tape());
        from = Math.max(seen + 1, stream.compactRevision());
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    } catch (InterruptedException ended) {
      // Whoever interrupts wants no more of it.
    }
  }

  private static WatchCreateRequest everythingFrom(long revision) {
    com.google.protobuf.ByteString all = com.google.protobuf.ByteString.copyFrom(new byte[] {0});
    return WatchCreateRequest.newBuilder()
        .setKey(all)
        .setRangeEnd(all)
        .setStartRevision(revision)
        .setPrevKv(true)
        .setProgressNotify(true)
        .setWatchId(ID)
        .build();
  }

  /** The newest revision this member has told of. */
  public long seen() {
    TapedStream stream = current;
    return stream == null ? seen : Math.max(seen, stream.lastRevision());
  }

  /** Blocks until the member has told of a revision. */
  public void awaitRevision(long revision, Duration limit) {
    Await.until(
        "member " + member + " to tell of revision " + revision, limit, () -> seen() >= revision);
  }

  /** Ends the watch. */
  public List<Tape> stop() {
    stopped = true;
    TapedStream stream = current;
    if (stream != null) {
      stream.close();
    }
    try {
      thread.join(Duration.ofSeconds(10).toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    return new ArrayList<>(tapes);
  }

  @Override
  public void close() {
    stopped = true;
    thread.interrupt();
  }
}
