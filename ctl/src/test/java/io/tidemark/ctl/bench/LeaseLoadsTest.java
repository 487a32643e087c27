package io.tidemark.ctl.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.LeaseGrantResponse;
import io.tidemark.api.etcdserverpb.LeaseGrpc;
import io.tidemark.api.etcdserverpb.LeaseKeepAliveRequest;
import io.tidemark.api.etcdserverpb.LeaseKeepAliveResponse;
import io.tidemark.api.etcdserverpb.LeaseLeasesRequest;
import io.tidemark.api.etcdserverpb.LeaseLeasesResponse;
import io.tidemark.api.etcdserverpb.LeaseRevokeRequest;
import io.tidemark.api.etcdserverpb.LeaseRevokeResponse;
import io.tidemark.api.etcdserverpb.LeaseStatus;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.PutResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class LeaseLoadsTest {
  private static final KeySpace KEYS = new KeySpace("p/", 10, 16, 1);

  private final Leases leases = new Leases();
  private final Puts puts = new Puts();
  private Server server = NettyServerBuilder.forPort(0).build();

  @BeforeEach
  void start() throws IOException {
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
            .directExecutor()
            .addService(leases)
            .addService(puts)
            .build()
            .start();
  }

  @AfterEach
  void stop() {
    server.shutdownNow();
  }

  private LoadReport run(Load load) throws InterruptedException {
    Target target = Target.of(List.of(new Endpoint("127.0.0.1", server.getPort())));
    Phases phases = Phases.of(Duration.ZERO, Duration.ofMillis(400));
    return new LoadRun(target, KEYS, phases, Window.ignored()).run(load);
  }

  @Test
  void everyLeaseHasAKeyIsRenewedAndRevokedInTheEnd() throws InterruptedException {
    LoadReport report = run(new Load.LeaseKeepAlive(20, 4, 60, Duration.ZERO));
    assertEquals(Map.of(), report.errors());
    assertTrue(report.operations() > 0);
    assertEquals(20L, report.notes().get(LeaseLoads.ALIVE_AFTERWARDS));
    assertEquals(20, leases.granted.size());
    assertEquals(leases.granted, new TreeSet<>(puts.leases.values()));
    assertEquals(20, puts.leases.size());
    assertEquals(leases.granted, leases.renewed);
    assertEquals(Set.of(), leases.alive);
  }

  @Test
  void aPaceIsKept() throws InterruptedException {
    long began = System.nanoTime();
    LoadReport report = run(new Load.LeaseKeepAlive(10, 2, 60, Duration.ofMillis(100)));
    long intervals = Duration.ofNanos(System.nanoTime() - began).toMillis() / 100;
    assertEquals(Map.of(), report.errors());
    assertTrue(report.operations() > 0, report::toText);
    assertTrue(leases.renewals.get() <= 10 * (intervals + 1), report::toText);
  }

  @Test
  void aLeaseThatIsGoneIsAnError() throws InterruptedException {
    leases.forgetful = true;
    LoadReport report = run(new Load.LeaseKeepAlive(4, 2, 60, Duration.ofMillis(50)));
    assertEquals(0, report.operations());
    assertEquals(Set.of(KeepAliveStreams.GONE), report.errors().keySet());
  }

  @Test
  void streamsWithoutLeasesAreAMistake() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new Load.LeaseKeepAlive(3, 4, 60, Duration.ofSeconds(1)));
  }

  private static final class Puts extends KVGrpc.KVImplBase {
    private final Map<ByteString, Long> leases = new ConcurrentHashMap<>();

    @Override
    public void put(PutRequest request, StreamObserver<PutResponse> observer) {
      leases.put(request.getKey(), request.getLease());
      observer.onNext(PutResponse.getDefaultInstance());
      observer.onCompleted();
    }
  }

  /** Leases that last until they are revoked. */
  private static final class Leases extends LeaseGrpc.LeaseImplBase {
    private final Set<Long> granted = ConcurrentHashMap.newKeySet();
    private final Set<Long> alive = ConcurrentHashMap.newKeySet();
    private final Set<Long> renewed = ConcurrentHashMap.newKeySet();
    private final AtomicInteger renewals = new AtomicInteger();
    private volatile boolean forgetful;

    @Override
    public void leaseGrant(LeaseGrantRequest request, StreamObserver<LeaseGrantResponse> observer) {
      granted.add(request.getID());
      alive.add(request.getID());
      observer.onNext(LeaseGrantResponse.getDefaultInstance());
      observer.onCompleted();
    }

    @Override
    public void leaseRevoke(
        LeaseRevokeRequest request, StreamObserver<LeaseRevokeResponse> observer) {
      alive.remove(request.getID());
      observer.onNext(LeaseRevokeResponse.getDefaultInstance());
      observer.onCompleted();
    }

    @Override
    public void leaseLeases(
        LeaseLeasesRequest request, StreamObserver<LeaseLeasesResponse> observer) {
      LeaseLeasesResponse.Builder all = LeaseLeasesResponse.newBuilder();
      all.addLeases(LeaseStatus.newBuilder().setID(1)); // somebody else's
      alive.forEach(id -> all.addLeases(LeaseStatus.newBuilder().setID(id)));
      observer.onNext(all.build());
      observer.onCompleted();
    }

    @Override
    public StreamObserver<LeaseKeepAliveRequest> leaseKeepAlive(
        StreamObserver<LeaseKeepAliveResponse> observer) {
      return new StreamObserver<>() {
        @Override
        public void onNext(LeaseKeepAliveRequest request) {
          renewed.add(request.getID());
          renewals.incrementAndGet();
          observer.onNext(
              LeaseKeepAliveResponse.newBuilder()
                  .setID(request.getID())
                  .setTTL(forgetful ? 0 : 60)
                  .build());
        }

        @Override
        public void onError(Throwable failure) {
          // the load has ended
        }

        @Override
        public void onCompleted() {
          observer.onCompleted();
        }
      };
    }
  }
}
