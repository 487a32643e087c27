package io.tidemark.server.rpc;

import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;

/** Tells {@link CallTallies} about the calls that come over the wire. Thread-safe. */
public final class CallTracers extends ServerStreamTracer.Factory {
  private final CallTallies tallies;

  public CallTracers(CallTallies tallies) {
    this.tallies = tallies;
  }

  @Override
  public ServerStreamTracer newServerStreamTracer(String fullMethodName, Metadata headers) {
    CallTallies.Call call = tallies.begin(fullMethodName, headers);
    return call == null ? new ServerStreamTracer() {} : new Tracer(call);
  }

  private static final class Tracer extends ServerStreamTracer {
    private final CallTallies.Call call;

    Tracer(CallTallies.Call call) {
      this.call = call;
    }

    @Override
    public void inboundMessage(int sequence) {
      call.receivedMessage();
    }

    @Override
    public void outboundMessage(int sequence) {
      call.sentMessage();
    }

    @Override
    public void inboundWireSize(long bytes) {
      call.receivedBytes(bytes);
    }

    @Override
    public void outboundWireSize(long bytes) {
      call.sentBytes(bytes);
    }

    @Override
    public void streamClosed(Status status) {
      call.ended(status);
    }
  }
}
