package io.tidemark.server.watch;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.WatchGrpc;
import io.tidemark.server.access.Gate;
import io.tidemark.server.access.Headers;
import io.tidemark.server.access.Replica;
import io.tidemark.server.rpc.CallLoop;
import io.tidemark.server.rpc.Methods;
import io.tidemark.server.rpc.Request;
import io.tidemark.server.rpc.RpcStatus;
import io.tidemark.server.rpc.Spliced;
import io.tidemark.watch.WatchStream;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * {@code etcdserverpb.Watch}. Watches are served from this member's own copy, whoever leads.
 * Clients that asked for it ({@code hasleader}) are sent away when this member has known no leader
 * at three checks in a row, one election time-out apart.
 */
public final class WatchService implements AutoCloseable {
  private static final int MISSED_CHECKS_MAX = 3;

  private final Replica replica;
  private final Gate gate;
  private final Methods methods;
  private final WatchReplies replies;
  private final Set<WatchCall> open = ConcurrentHashMap.newKeySet();
  private final Set<WatchCall> needLeader = ConcurrentHashMap.newKeySet();
  private final ConcurrentHashMap<Executor, LoopTurns> turns = new ConcurrentHashMap<>();
  private final ScheduledThreadPoolExecutor clock;

  /** Thread: clock. */
  private int missedChecks;

  public WatchService(
      String member,
      Replica replica,
      Gate gate,
      Methods methods,
      Headers headers,
      Duration electionTimeout) {
    this.replica = replica;
    this.gate = gate;
    this.methods = methods;
    this.replies = new WatchReplies(headers);
    this.clock =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "tidemark-" + member + "-leader-check");
              thread.setDaemon(true);
              return thread;
            });
    long millis = electionTimeout.toMillis();
    var unused =
        clock.scheduleWithFixedDelay(this::checkLeader, millis, millis, TimeUnit.MILLISECONDS);
  }

  public void register() {
    methods.addStream(WatchGrpc.getWatchMethod(), this::start);
  }

  /** Sends every client to another member. */
  @Override
  public void close() {
    clock.shutdownNow();
    Status stopped = RpcStatus.of(EtcdError.STOPPED);
    open.forEach(call -> call.terminate(stopped));
  }

  private ServerCall.Listener<Request> start(ServerCall<Request, Spliced> call, Metadata headers) {
    EtcdError refusal = gate.refusal(headers);
    if (refusal != null) {
      call.close(RpcStatus.of(refusal), new Metadata());
      return new ServerCall.Listener<>() {};
    }
    ScheduledExecutorService loop = CallLoop.of(call.getAttributes());
    WatchCall watch = new WatchCall(call, this, loop, turns.computeIfAbsent(loop, LoopTurns::new));
    open.add(watch);
    if (Gate.wantsLeader(headers)) {
      needLeader.add(watch);
    }
    watch.start();
    return watch;
  }

  private void checkLeader() {
    missedChecks = gate.hasLeader() ? 0 : missedChecks + 1;
    if (missedChecks >= MISSED_CHECKS_MAX) {
      Status noLeader = RpcStatus.of(EtcdError.NO_LEADER);
      needLeader.forEach(call -> call.terminate(noLeader));
    }
  }

  WatchStream open(Runnable onOutbound) {
    return replica.watch().open(onOutbound);
  }

  Methods methods() {
    return methods;
  }

  WatchReplies replies() {
    return replies;
  }

  void forget(WatchCall call) {
    open.remove(call);
    needLeader.remove(call);
  }
}
