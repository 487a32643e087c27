package io.tidemark.server.rpc;

import com.codahale.metrics.MetricRegistry;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.grpc.HandlerRegistry;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.tidemark.api.errors.EtcdError;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The methods that this member serves; every other one is answered UNIMPLEMENTED by the transport.
 * Built once by one thread before the port opens, read by all event loops afterwards.
 */
public final class Methods extends HandlerRegistry {
  private final Map<String, ServerMethodDefinition<Request, Spliced>> byName = new HashMap<>();
  private final RequestMarshaller requests;
  private final SplicedMarshaller replies = new SplicedMarshaller();
  private final int messageBytesMax;
  private final CallLimits limits;
  private final CallTallies tallies;
  private final SlowCalls slow;

  /** Methods that are always taken, and whose calls nobody asks about. */
  public Methods(int messageBytesMax) {
    this(
        messageBytesMax,
        CallLimits.NONE,
        new CallTallies(new MetricRegistry(), false),
        SlowCalls.UNNOTICED);
  }

  /**
   * @param messageBytesMax larger requests are refused in etcd's words
   * @param limits asked before a call gets to its handler
   * @param tallies counts the calls
   * @param slow hears how long they took
   */
  public Methods(int messageBytesMax, CallLimits limits, CallTallies tallies, SlowCalls slow) {
    this.messageBytesMax = messageBytesMax;
    this.limits = limits;
    this.tallies = tallies;
    this.slow = slow;
    this.requests = new RequestMarshaller(messageBytesMax);
  }

  /** One request, one or more reply messages. */
  public <Q extends MessageLite> Methods add(
      MethodDescriptor<Q, ?> method, Parser<Q> parser, SingleRequest<Q> handler) {
    String name = method.getFullMethodName();
    SingleRequest<Q> limited =
        (request, reply) -> {
          EtcdError refusal = limits.refusal(name, request);
          if (refusal != null) {
            reply.fail(refusal);
          } else {
            handler.answer(request, reply);
          }
        };
    return raw(
        method, (call, headers) -> new SingleRequestListener<>(parser, limited, call, headers));
  }

  /** A stream of requests. */
  public Methods addStream(
      MethodDescriptor<?, ?> method, ServerCallHandler<Request, Spliced> handler) {
    String name = method.getFullMethodName();
    return raw(
        method,
        (call, headers) -> {
          EtcdError refusal = limits.refusal(name, null);
          if (refusal == null) {
            return handler.startCall(call, headers);
          }
          call.close(RpcStatus.of(refusal), new Metadata());
          return new ServerCall.Listener<>() {};
        });
  }

  private Methods raw(MethodDescriptor<?, ?> method, ServerCallHandler<Request, Spliced> handler) {
    MethodDescriptor<Request, Spliced> raw = method.toBuilder(requests, replies).build();
    tallies.add(raw);
    byName.put(raw.getFullMethodName(), ServerMethodDefinition.create(raw, handler));
    return this;
  }

  @Override
  public @Nullable ServerMethodDefinition<?, ?> lookupMethod(
      String methodName, @Nullable String authority) {
    return byName.get(methodName);
  }

  /** The method of this name, for callers that don't come over the wire; null if not served. */
  public @Nullable ServerMethodDefinition<Request, Spliced> find(String methodName) {
    return byName.get(methodName);
  }

  public CallTallies tallies() {
    return tallies;
  }

  /** Largest request; the handlers refuse what is larger. */
  public int messageBytesMax() {
    return messageBytesMax;
  }

  /**
   * Parses a message of a streaming call.
   *
   * @throws RefusedMessage when it is too large or broken; its status ends the call
   */
  public <Q extends MessageLite> Q parse(Request request, Parser<Q> parser) throws RefusedMessage {
    if (request.isOversize()) {
      throw new RefusedMessage(RpcStatus.tooLarge(request.oversizeBytes(), messageBytesMax));
    }
    try {
      return parser.parseFrom(request.bytes());
    } catch (InvalidProtocolBufferException e) {
      throw new RefusedMessage(RpcStatus.malformed(String.valueOf(e.getMessage())));
    }
  }

  /** A request that can't be read. */
  public static final class RefusedMessage extends Exception {
    private static final long serialVersionUID = 1;
    private final transient Status status;

    RefusedMessage(Status status) {
      super(status.getDescription(), null, false, false);
      this.status = status;
    }

    public Status status() {
      return status;
    }
  }

  private final class SingleRequestListener<Q extends MessageLite>
      extends ServerCall.Listener<Request> {
    private final Parser<Q> parser;
    private final SingleRequest<Q> handler;
    private final Reply reply;
    private @Nullable Request request;

    SingleRequestListener(
        Parser<Q> parser,
        SingleRequest<Q> handler,
        ServerCall<Request, Spliced> call,
        Metadata headers) {
      this.parser = parser;
      this.handler = handler;
      this.reply = new Reply(call, headers, slow);
      // Not at once: the transport is in the middle of reading when it finds out.
      ArrivingBytes.whenTooMany(
          () ->
              CallLoop.of(call.getAttributes())
                  .execute(() -> reply.fail(EtcdError.TOO_MANY_REQUESTS)));
      // two, so that a client that sends more than one message is found out
      call.request(2);
    }

    @Override
    public void onMessage(Request message) {
      if (request != null) {
        reply.fail(Status.INTERNAL.withDescription("more than one request message"));
        return;
      }
      request = message;
    }

    @Override
    public void onHalfClose() {
      Request received = request;
      if (received == null) {
        reply.fail(Status.INTERNAL.withDescription("no request message"));
        return;
      }
      request = new Request(ByteString.EMPTY, 0);
      try {
        Q message = parse(received, parser);
        reply.begin(message);
        handler.answer(message, reply);
      } catch (RefusedMessage e) {
        reply.fail(e.status());
      }
    }

    @Override
    public void onReady() {
      reply.ready();
    }

    @Override
    public void onCancel() {
      reply.ended();
    }

    @Override
    public void onComplete() {
      reply.ended();
    }
  }
}
