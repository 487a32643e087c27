package io.tidemark.ctl.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.PutResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ClosedLoopTest {
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final Puts puts = new Puts();
  private final KeySpace keys = new KeySpace("p/", 100, 16, 1);
  private final Tally tally = new Tally();
  private Server server = NettyServerBuilder.forPort(0).build();

  @BeforeEach
  void start() throws IOException {
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
            .directExecutor()
            .addService(puts)
            .build()
            .start();
  }

  @AfterEach
  void stop() {
    server.shutdownNow();
  }

  private Target target() {
    return Target.of(List.of(new Endpoint("127.0.0.1", server.getPort())));
  }

  @Test
  void everyAttemptIsCountedOnceAndNoneIsRepeated() throws InterruptedException {
    try (Connections connections = new Connections(target())) {
      ClosedLoop loop =
          new ClosedLoop(
              connections,
              tally,
              List.of(
                  new Operations.Put(keys, keys.random(0)),
                  new Operations.Put(keys, keys.random(1))));
      loop.start();
      assertTrue(puts.hundred.await(20, TimeUnit.SECONDS));
      assertEquals(0, loop.stop(GRACE_NANOS));
    }
    tally.sample(1);
    int attempts = puts.attempts.get();
    assertEquals(Map.of("UNAVAILABLE: every tenth", attempts / 10L), tally.errors());
    assertEquals(attempts - attempts / 10, tally.count());
  }

  @Test
  void callsWithoutAnAnswerAreReported() throws InterruptedException {
    puts.silent = true;
    try (Connections connections = new Connections(target())) {
      ClosedLoop loop =
          new ClosedLoop(connections, tally, List.of(new Operations.Put(keys, keys.random(0))));
      loop.start();
      assertEquals(1, loop.stop(1));
    }
  }

  @Test
  void theWindowIsMeasured() throws InterruptedException {
    StringBuilder seen = new StringBuilder();
    Window window =
        new Window() {
          @Override
          public void opened() {
            try {
              seen.append("warm: ").append(puts.hundred.await(20, TimeUnit.SECONDS)).append(';');
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          }

          @Override
          public void closed() {
            seen.append("closed");
          }
        };
    Phases phases = Phases.of(Duration.ofMillis(1), Duration.ofMillis(300));
    LoadReport report = new LoadRun(target(), keys, phases, window).run(new Load.Put(4));
    assertEquals("warm: true;closed", seen.toString());
    assertEquals("put", report.load());
    assertEquals(1, report.series().size());
    assertEquals(report.operations(), report.series().get(0).operations());
    assertTrue(report.seconds() >= 0.3);
  }

  /** Refuses every tenth put. */
  private static final class Puts extends KVGrpc.KVImplBase {
    private final AtomicInteger attempts = new AtomicInteger();
    private final CountDownLatch hundred = new CountDownLatch(100);
    private volatile boolean silent;

    @Override
    public void put(PutRequest request, StreamObserver<PutResponse> observer) {
      if (silent) {
        return;
      }
      hundred.countDown();
      if (attempts.incrementAndGet() % 10 == 0) {
        observer.onError(Status.UNAVAILABLE.withDescription("every tenth").asRuntimeException());
        return;
      }
      observer.onNext(PutResponse.getDefaultInstance());
      observer.onCompleted();
    }
  }
}
