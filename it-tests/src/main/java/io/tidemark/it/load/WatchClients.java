package io.tidemark.it.load;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.WatchCreateRequest;
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.tape.Tape;
import io.tidemark.it.tape.TapedStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;

/**
 * Clients that open a stream on some member with one to three watches, of a key, of a range or of
 * everything, from now, from the past or from what is to come, and leave it after a while.
 */
public final class WatchClients implements AutoCloseable {
  private static final int BACK_MAX = 600;
  private static final int AHEAD_MAX = 200;

  private final Queue<Tape> tapes = new ConcurrentLinkedQueue<>();
  private final Crowd crowd;

  /**
   * Starts them.
   *
   * @param keys how many keys named {@code key0…} there are
   * @param newest about the newest revision there is
   */
  public WatchClients(
      List<MemberClient> members, int clients, int keys, LongSupplier newest, long seed) {
    this.crowd =
        new Crowd(
            "it-watcher-",
            clients,
            seed,
            (who, random) ->
                watchOnce(members, random.nextInt(members.size()), keys, newest, random));
    crowd.start();
  }

  private void watchOnce(
      List<MemberClient> members, int member, int keys, LongSupplier newest, Random random)
      throws InterruptedException {
    members.get(member).redial();
    List<WatchCreateRequest> requests = new ArrayList<>();
    for (int id = 1; id <= 1 + random.nextInt(3); id++) {
      requests.add(request(id, keys, newest.getAsLong(), random));
    }
    Duration stay = Duration.ofMillis(300 + random.nextInt(6_000));
    try (TapedStream stream =
        TapedStream.open(member, Tape.Purpose.CLIENT, members.get(member).channel(), requests)) {
      Duration half = stay.dividedBy(2);
      stream.awaitEnd(half);
      stream.requestProgress();
      stream.awaitEnd(half);
      tapes.add(stream.tape());
    }
    crowd.pause(Duration.ofMillis(100));
  }

  private static WatchCreateRequest request(int id, int keys, long newest, Random random) {
    WatchCreateRequest.Builder request =
        WatchCreateRequest.newBuilder()
            .setWatchId(id)
            .setPrevKv(random.nextBoolean())
            .setProgressNotify(random.nextInt(3) == 0);
    switch (random.nextInt(8)) {
      case 0, 1, 2, 3, 4 -> request.setKey(name(random.nextInt(keys)));
      case 5 -> request.setKey(name(0)).setRangeEnd(ByteString.copyFromUtf8("key5"));
      case 6 -> request.setKey(ByteString.copyFromUtf8("key")).setRangeEnd(end("key"));
      default -> request.setKey(zero()).setRangeEnd(zero());
    }
    switch (random.nextInt(4)) {
      case 0 -> request.setStartRevision(0);
      case 1 -> request.setStartRevision(newest + random.nextInt(AHEAD_MAX));
      default -> request.setStartRevision(Math.max(1, newest - random.nextInt(BACK_MAX)));
    }
    if (random.nextInt(6) == 0) {
      request.addFilters(
          random.nextBoolean()
              ? WatchCreateRequest.FilterType.NODELETE
              : WatchCreateRequest.FilterType.NOPUT);
    }
    return request.build();
  }

  private static ByteString name(int key) {
    return ByteString.copyFromUtf8("key" + key);
  }

  private static ByteString end(String prefix) {
    int last = prefix.length() - 1;
    return ByteString.copyFromUtf8(prefix.substring(0, last) + (char) (prefix.charAt(last) + 1));
  }

  private static ByteString zero() {
    return ByteString.copyFrom(new byte[] {0});
  }

  /** Stops them and gives what came on their streams. */
  public List<Tape> stop() {
    crowd.stop();
    return List.copyOf(tapes);
  }

  @Override
  public void close() {
    crowd.close();
  }
}
