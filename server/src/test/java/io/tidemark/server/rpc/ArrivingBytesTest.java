package io.tidemark.server.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class ArrivingBytesTest {
  private static final int KIB = 1024;
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
    second.inboundWireSize(50 * KIB);
    assertEquals(0, refusals.get());
    second.inboundWireSize(50 * KIB);
    assertEquals(1, refusals.get());
    second.inboundWireSize(50 * KIB);
    assertEquals(1, refusals.get());
    second.streamClosed(Status.UNKNOWN);
    assertEquals(150 * KIB, budget.bytes());
  }

  @Test
  void smallRequestsPassAFullBudget() {
    call().inboundWireSize(200 * KIB);
    call().inboundWireSize(64 * KIB);
    assertEquals(0, refusals.get());
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
