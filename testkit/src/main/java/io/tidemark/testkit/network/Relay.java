package io.tidemark.testkit.network;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.Set;

/**
 * Listens on a loopback port that it keeps for good, and passes bytes on to a target that may come
 * and go. Without a target connections are broken as soon as they are made. Each direction has a
 * gate: closed, it holds bytes back as a network that drops packets does, and they arrive in order
 * once it opens; meanwhile the sender feels back pressure. Thread-safe.
 */
final class Relay {
  private static final int NOWHERE = 0;

  private final EventLoopGroup loop;
  private final Channel listener;

  @GuardedBy("this")
  private final Set<Pipe> pipes = new HashSet<>();

  @GuardedBy("this")
  private int targetPort = NOWHERE;

  @GuardedBy("this")
  private boolean forwardOpen = true;

  @GuardedBy("this")
  private boolean backwardOpen = true;

  Relay(EventLoopGroup loop) {
    this.loop = loop;
    this.listener =
        new ServerBootstrap()
            .group(loop)
            .channel(NioServerSocketChannel.class)
            .childOption(ChannelOption.AUTO_READ, false)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel dialer) {
                    accept(dialer);
                  }
                })
            .bind(InetAddress.getLoopbackAddress(), 0)
            .syncUninterruptibly()
            .channel();
  }

  int port() {
    return ((InetSocketAddress) listener.localAddress()).getPort();
  }

  /** From now on connections lead to that port; those that are open stay as they are. */
  synchronized void target(int port) {
    targetPort = port;
  }

  /** From now on there is nobody at the other end; what is open breaks. */
  synchronized void detach() {
    targetPort = NOWHERE;
    breakAll();
  }

  /** Breaks what is open; new connections may be made. */
  synchronized void breakAll() {
    pipes.forEach(Pipe::breakUp);
  }

  /** Sets the gates; {@code forward} is the way of what a dialer sends. */
  synchronized void gates(boolean forward, boolean backward) {
    forwardOpen = forward;
    backwardOpen = backward;
    pipes.forEach(pipe -> pipe.gates(forward, backward));
  }

  void close() {
    listener.close().syncUninterruptibly();
    detach();
  }

  private synchronized void accept(Channel dialer) {
    if (targetPort == NOWHERE) {
      Side.breakOff(dialer);
      return;
    }
    Pipe pipe = new Pipe(dialer, forwardOpen, backwardOpen);
    pipes.add(pipe);
    dialer.closeFuture().addListener(closed -> forget(pipe));
    pipe.connect(loop, targetPort);
  }

  private synchronized void forget(Pipe pipe) {
    pipes.remove(pipe);
  }
}
