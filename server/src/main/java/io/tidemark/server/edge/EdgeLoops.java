package io.tidemark.server.edge;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;

/** The event loops of one edge: epoll where the machine has it, NIO elsewhere. */
final class EdgeLoops {
  private static final int WORKERS_MAX = 8;
  private static final long STOP_SECONDS = 2;

  private final boolean epoll = Epoll.isAvailable();
  private final EventLoopGroup acceptors;
  private final EventLoopGroup workers;

  EdgeLoops(String member) {
    IoHandlerFactory io = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    int workerCount =
        Math.max(2, Math.min(WORKERS_MAX, Runtime.getRuntime().availableProcessors()));
    acceptors = group(1, "tidemark-" + member + "-accept", io);
    workers = group(workerCount, "tidemark-" + member + "-edge", io);
  }

  private static EventLoopGroup group(int threads, String name, IoHandlerFactory io) {
    return new MultiThreadIoEventLoopGroup(threads, new DefaultThreadFactory(name, true), io);
  }

  EventLoopGroup acceptors() {
    return acceptors;
  }

  EventLoopGroup workers() {
    return workers;
  }

  Class<? extends ServerChannel> tcp() {
    return epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
  }

  /** Listening on a path in the file system needs epoll. */
  Class<? extends ServerChannel> unix() {
    if (!epoll) {
      throw new UnsupportedOperationException("unix sockets need epoll");
    }
    return EpollServerDomainSocketChannel.class;
  }

  /** Blocks until the threads have ended, for two seconds at most. */
  void close() {
    var acceptorsEnd = acceptors.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS);
    var workersEnd = workers.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS);
    acceptorsEnd.awaitUninterruptibly(STOP_SECONDS, TimeUnit.SECONDS);
    workersEnd.awaitUninterruptibly(STOP_SECONDS, TimeUnit.SECONDS);
  }
}
