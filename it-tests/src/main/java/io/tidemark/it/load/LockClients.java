package io.tidemark.it.load;

import com.google.protobuf.ByteString;
import io.grpc.StatusRuntimeException;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.LeaseGrpc;
import io.tidemark.api.v3lockpb.LockGrpc;
import io.tidemark.api.v3lockpb.LockRequest;
import io.tidemark.api.v3lockpb.LockResponse;
import io.tidemark.api.v3lockpb.UnlockRequest;
import io.tidemark.it.client.MemberClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Contenders for one lock, each with a long lease of its own, who go to another member when one
 * doesn't answer.
 */
public final class LockClients implements AutoCloseable {
  /** All of a lock's keys begin with this. */
  public static final String NAME = "lock/contended";

  private static final ByteString LOCK = ByteString.copyFromUtf8(NAME);
  private static final long FIRST_LEASE = 0x10_0000L;
  private static final long TTL_SECONDS = 36_000;
  private static final Duration ONE_ANSWER = Duration.ofSeconds(5);
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final Queue<Hold> holds = new ConcurrentLinkedQueue<>();
  private final List<MemberClient> members;
  private final Crowd crowd;

  /** Starts them. */
  public LockClients(List<MemberClient> members, int clients, long seed) {
    this.members = members;
    this.crowd = new Crowd("it-contender-", clients, seed, this::lockOnce);
    crowd.start();
  }

  private void lockOnce(int who, Random random) {
    long lease = FIRST_LEASE + who;
    LeaseGrantRequest grant =
        LeaseGrantRequest.newBuilder().setID(lease).setTTL(TTL_SECONDS).build();
    var unused =
        attempt(
            random, client -> leases(client).leaseGrant(grant)); // there already after the first
    LockRequest request = LockRequest.newBuilder().setName(LOCK).setLease(lease).build();
    Optional<LockResponse> mine = untilAnswered(random, client -> locks(client).lock(request));
    if (mine.isEmpty()) {
      return;
    }
    long began = System.nanoTime();
    crowd.pause(Duration.ofMillis(20 + random.nextInt(100)));
    UnlockRequest unlock = UnlockRequest.newBuilder().setKey(mine.get().getKey()).build();
    long ended = System.nanoTime();
    holds.add(
        new Hold(
            who,
            mine.get().getKey().toStringUtf8(),
            mine.get().getHeader().getRevision(),
            began,
            ended));
    if (untilAnswered(random, client -> locks(client).unlock(unlock)).isPresent()) {
      crowd.pause(PAUSE);
    }
  }

  private static LockGrpc.LockBlockingStub locks(MemberClient client) {
    return LockGrpc.newBlockingStub(client.channel())
        .withDeadlineAfter(ONE_ANSWER.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static LeaseGrpc.LeaseBlockingStub leases(MemberClient client) {
    return LeaseGrpc.newBlockingStub(client.channel())
        .withDeadlineAfter(ONE_ANSWER.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Empty only when the load ends. */
  private <T> Optional<T> untilAnswered(Random random, Function<MemberClient, T> call) {
    while (!crowd.stopped()) {
      Optional<T> answer = attempt(random, call);
      if (answer.isPresent()) {
        return answer;
      }
      crowd.pause(PAUSE);
    }
    return Optional.empty();
  }

  private <T> Optional<T> attempt(Random random, Function<MemberClient, T> call) {
    MemberClient client = members.get(random.nextInt(members.size()));
    client.redial();
    try {
      return Optional.of(call.apply(client));
    } catch (StatusRuntimeException failed) {
      return Optional.empty();
    }
  }

  /** Stops them and tells who held the lock. */
  public List<Hold> stop() {
    crowd.stop();
    return List.copyOf(holds);
  }

  @Override
  public void close() {
    crowd.close();
  }
}
