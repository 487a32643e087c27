package io.tidemark.server.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class ArrivingBytesTest {
  private static final int KIB = 1024;

  /** What a piece counts besides its bytes. */
  private static final int PIECE = 512;

  private final ArrivingBytes.Budget budget = new ArrivingBytes.Budget(200 * KIB);
  private final AtomicInteger refusals = new AtomicInteger();

  private ServerStreamTracer call() {
    ServerStreamTracer call = budget.newServerStreamTracer("kv/Put", new Metadata());
    call.filterContext(Context.ROOT)
        .run(() -> ArrivingBytes.whenTooMany(refusals::incrementAndGet));
    return call;
  }

  @Test
  void theCallThatGoesBeyondTheBudgetIsRefusedOnce() {
    ServerStreamTracer first = call();
    ServerStreamTracer second = call();
    first.inboundWireSize(150 * KIB);
    second.inboundWireSize(49 * KIB - PIECE);
    assertEquals(0, refusals.get());
    second.inboundWireSize(50 * KIB);
    assertEquals(1, refusals.get());
    second.inboundWireSize(50 * KIB);
    assertEquals(1, refusals.get());
    second.streamClosed(Status.UNKNOWN);
    assertEquals(150 * KIB + PIECE, budget.bytes());
  }

  @Test
  void smallRequestsHaveHalfAsMuchAgain() {
    call().inboundWireSize(199 * KIB);
    call().inboundWireSize(63 * KIB);
    assertEquals(0, refusals.get());
    call().inboundWireSize(36 * KIB);
    assertEquals(0, refusals.get());
    call().inboundWireSize(KIB);
    assertEquals(1, refusals.get());
  }

  @Test
  void aMessageInSingleBytesIsNoSmallOne() {
    call().inboundWireSize(199 * KIB);
    ServerStreamTracer trickle = call();
    for (int i = 0; i < 2 * KIB; i++) {
      trickle.inboundWireSize(1);
    }
    assertEquals(1, refusals.get());
  }

  @Test
  void nothingIsSetAsideForAPromise() {
    call().inboundWireSize(100 * KIB - PIECE);
    assertTrue(budget.hasRoomFor(100 * KIB));
    assertTrue(budget.hasRoomFor(100 * KIB));
    assertFalse(budget.hasRoomFor(100 * KIB + 1));
    call().inboundWireSize(99 * KIB);
    assertTrue(budget.hasRoomFor(64 * KIB));
  }

  @Test
  void bytesAreGivenBackOnceTheMessageIsThereOrTheCallEnds() {
    ServerStreamTracer whole = call();
    whole.inboundWireSize(100 * KIB);
    whole.inboundMessageRead(0, 100 * KIB, 100 * KIB);
    assertEquals(0, budget.bytes());
    whole.streamClosed(Status.OK);
    assertEquals(0, budget.bytes());
    ServerStreamTracer cutOff = call();
    cutOff.inboundWireSize(70 * KIB);
    cutOff.streamClosed(Status.CANCELLED);
    assertEquals(0, budget.bytes());
  }
}
