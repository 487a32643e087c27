package io.tidemark.it.load;

import com.google.protobuf.ByteString;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.BlockingClientCall;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.LeaseGrpc;
import io.tidemark.api.etcdserverpb.LeaseKeepAliveRequest;
import io.tidemark.api.etcdserverpb.LeaseKeepAliveResponse;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.it.client.MemberClient;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Holders of short leases, each with one key: they renew through whatever member answers, for a
 * while, and then take the next lease.
 */
public final class LeaseClients implements AutoCloseable {
  /** All keys under such a lease begin with this. */
  public static final String PREFIX = "life/";

  private static final long FIRST_ID = 0x20_0000;
  private static final Duration ONE_ANSWER = Duration.ofSeconds(2);
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final Queue<LeaseLife> lives = new ConcurrentLinkedQueue<>();
  private final AtomicLong nextId = new AtomicLong(FIRST_ID);
  private final List<MemberClient> members;
  private final Crowd crowd;

  /** Starts them. */
  public LeaseClients(List<MemberClient> members, int clients, long seed) {
    this.members = members;
    this.crowd = new Crowd("it-holder-", clients, seed, this::liveOnce);
    crowd.start();
  }

  private void liveOnce(int who, Random random) {
    long ttl = 3L + random.nextInt(3);
    long id = nextId.getAndIncrement();
    long sent = System.nanoTime();
    if (!grant(any(random), id, ttl)) {
      crowd.pause(PAUSE);
      return;
    }
    String key = PREFIX + id;
    if (!put(any(random), key, id)) {
      crowd.pause(PAUSE);
      return; // it may be there, but nothing is known of when
    }
    long lastTry = System.nanoTime();
    for (int renewals = random.nextInt(12); renewals > 0 && !crowd.stopped(); renewals--) {
      crowd.pause(Duration.ofMillis(300 + random.nextInt(500)));
      long sending = System.nanoTime();
      long left = renew(any(random), id);
      lastTry = System.nanoTime();
      if (left == 0) {
        break; // over, says the cluster
      }
      sent = left > 0 ? sending : sent;
    }
    lives.add(new LeaseLife(key, ttl, sent, lastTry));
  }

  private MemberClient any(Random random) {
    MemberClient client = members.get(random.nextInt(members.size()));
    client.redial();
    return client;
  }

  private static boolean grant(MemberClient client, long id, long ttl) {
    try {
      return LeaseGrpc.newBlockingStub(client.channel())
              .withDeadlineAfter(ONE_ANSWER.toMillis(), TimeUnit.MILLISECONDS)
              .leaseGrant(LeaseGrantRequest.newBuilder().setID(id).setTTL(ttl).build())
              .getTTL()
          == ttl;
    } catch (StatusRuntimeException failed) {
      return false;
    }
  }

  private static boolean put(MemberClient client, String key, long lease) {
    return client
        .patient(ONE_ANSWER)
        .put(PutRequest.newBuilder().setKey(ByteString.copyFromUtf8(key)).setLease(lease).build())
        .answered();
  }

  /** The answered time to live, 0 if there is no such lease, or -1 for no answer. */
  private static long renew(MemberClient client, long id) {
    BlockingClientCall<LeaseKeepAliveRequest, LeaseKeepAliveResponse> call =
        LeaseGrpc.newBlockingV2Stub(client.channel())
            .withDeadlineAfter(ONE_ANSWER.toMillis(), TimeUnit.MILLISECONDS)
            .leaseKeepAlive();
    try {
      call.write(LeaseKeepAliveRequest.newBuilder().setID(id).build());
      LeaseKeepAliveResponse answer = call.read();
      return answer == null ? -1 : answer.getTTL();
    } catch (StatusException | StatusRuntimeException failed) {
      return -1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return -1;
    } finally {
      call.cancel("enough", null);
    }
  }

  /** Stops them and tells of all leases whose key was written. */
  public List<LeaseLife> stop() {
    crowd.stop();
    return List.copyOf(lives);
  }

  @Override
  public void close() {
    crowd.close();
  }
}
