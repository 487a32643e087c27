package io.tidemark.server.watch;

import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.WatchGrpc;
import io.tidemark.server.access.Guard;
import io.tidemark.server.access.Headers;
import io.tidemark.server.access.LeaderLoss;
import io.tidemark.server.access.Replica;
import io.tidemark.server.access.Right;
import io.tidemark.server.rpc.ArrivingBytes;
import io.tidemark.server.rpc.CallLoop;
import io.tidemark.server.rpc.Methods;
import io.tidemark.server.rpc.Request;
import io.tidemark.server.rpc.RpcStatus;
import io.tidemark.server.rpc.Spliced;
import io.tidemark.watch.WatchStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * {@code etcdserverpb.Watch}. Watches are served from this member's own copy, whoever leads. {@link
 * LeaderLoss} ends the streams of clients that want a leader.
 */
public final class WatchService implements AutoCloseable {
  private final Replica replica;
  private final Guard guard;
  private final Methods methods;
  private final WatchReplies replies;
  private final Set<WatchCall> open = ConcurrentHashMap.newKeySet();
  private final LeaderLoss leaderLoss;
  private final ConcurrentHashMap<Executor, LoopTurns> turns = new ConcurrentHashMap<>();

  public WatchService(
      Replica replica, Guard guard, LeaderLoss leaderLoss, Methods methods, Headers headers) {
    this.replica = replica;
    this.guard = guard;
    this.leaderLoss = leaderLoss;
    this.methods = methods;
    this.replies = new WatchReplies(headers);
  }

  public void register() {
    methods.addStream(WatchGrpc.getWatchMethod(), this::start);
  }

  /** Sends every client to another member. */
  @Override
  public void close() {
    Status stopped = RpcStatus.of(EtcdError.STOPPED);
    open.forEach(call -> call.terminate(stopped));
  }

  private ServerCall.Listener<Request> start(ServerCall<Request, Spliced> call, Metadata headers) {
    EtcdError refusal = guard.gate().refusal(headers);
    if (refusal != null) {
      call.close(RpcStatus.of(refusal), new Metadata());
      return new ServerCall.Listener<>() {};
    }
    ScheduledExecutorService loop = CallLoop.of(call.getAttributes());
    WatchCall watch = new WatchCall(call, guard.credentials(headers), this, loop, turnsOf(loop));
    open.add(watch);
    ArrivingBytes.whenTooMany(() -> watch.terminate(RpcStatus.of(EtcdError.TOO_MANY_REQUESTS)));
    leaderLoss.add(watch, headers);
    if (guard.needsBarrier(headers)) {
      // A login that this member hasn't heard of: requests wait in the transport until it has.
      var unused = guard.barrier().whenComplete((passed, failed) -> watch.startLater());
    } else {
      watch.start();
    }
    return watch;
  }

  /** A stream in the name of whoever is at the other end of the connection. */
  WatchStream open(Attributes attributes, Runnable onOutbound) {
    return replica.watch().open(address(attributes), onOutbound);
  }

  private static String address(Attributes attributes) {
    SocketAddress remote = attributes.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
    return remote instanceof InetSocketAddress inet
        ? inet.getAddress().getHostAddress() + ":" + inet.getPort()
        : String.valueOf(remote);
  }

  /** Why a watch may not be created, or null. */
  @Nullable EtcdError refusal(Metadata headers, Attributes attributes, Right right) {
    return guard.admit(headers, attributes, right).refusal();
  }

  Methods methods() {
    return methods;
  }

  private LoopTurns turnsOf(Executor loop) {
    return turns.computeIfAbsent(loop, key -> new LoopTurns(key, replies));
  }

  void forget(WatchCall call) {
    open.remove(call);
    leaderLoss.remove(call);
  }
}
