package io.tidemark.ctl.bench;

import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.JdkLoggerFactory;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The channels of one load and the event loops under them. Answers are handled on the event loops.
 *
 * <p>Thread: any. {@link #close} cuts every call and waits up to four seconds.
 */
final class Connections implements AutoCloseable {
  private static final int INBOUND_BYTES_MAX = 64 << 20;
  private static final int WINDOW_BYTES = 4 << 20;
  private static final long CLOSE_SECONDS = 2;

  static {
    // Whatever logging back end is on the class path: at its debug level, Netty would log each
    // frame.
    InternalLoggerFactory.setDefaultFactory(JdkLoggerFactory.INSTANCE);
  }

  private final EventLoopGroup loops;
  private final List<ManagedChannel> opened = new ArrayList<>();
  private final List<List<Channel>> channels = new ArrayList<>();

  Connections(Target target) {
    boolean epoll = Epoll.isAvailable();
    IoHandlerFactory handlers = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    Class<? extends SocketChannel> type = epoll ? EpollSocketChannel.class : NioSocketChannel.class;
    loops =
        new MultiThreadIoEventLoopGroup(
            target.loops(), new DefaultThreadFactory("tidemark-bench-loop", true), handlers);
    try {
      for (Endpoint endpoint : target.endpoints()) {
        channels.add(open(endpoint, target.connections(), type));
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private List<Channel> open(
      Endpoint endpoint, int connections, Class<? extends SocketChannel> type) {
    List<ManagedChannel> ofEndpoint = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      ManagedChannel channel = open(endpoint, type);
      opened.add(channel);
      ofEndpoint.add(channel);
    }
    return endpoint.admission().signIn(ofEndpoint);
  }

  private ManagedChannel open(Endpoint endpoint, Class<? extends SocketChannel> type) {
    // Resolved here and once: no resolver threads in a program that counts its own CPU time.
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(new InetSocketAddress(endpoint.host(), endpoint.port()))
            .channelType(type)
            .eventLoopGroup(loops)
            .directExecutor()
            .disableRetry()
            .flowControlWindow(WINDOW_BYTES)
            .maxInboundMessageSize(INBOUND_BYTES_MAX);
    endpoint.admission().secure(builder);
    return builder.build();
  }

  /** The channel of the {@code turn}-th call of a caller: endpoints in turn, connections fixed. */
  Channel channel(int caller, int turn) {
    List<Channel> ofEndpoint = channels.get(Math.floorMod(caller + turn, channels.size()));
    return ofEndpoint.get(caller / channels.size() % ofEndpoint.size());
  }

  /** Runs delayed work on an event loop. */
  ScheduledExecutorService timer() {
    return loops.next();
  }

  /** Runs {@code task} on an event loop after {@code millis}, unless closed before. */
  void later(Runnable task, long millis) {
    Future<?> unused = loops.next().schedule(task, millis, TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    opened.forEach(ManagedChannel::shutdownNow);
    // A channel that is still connecting needs its loop until it has noticed.
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(CLOSE_SECONDS);
    try {
      for (ManagedChannel channel : opened) {
        channel.awaitTermination(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    loops
        .shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS)
        .awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
  }
}
