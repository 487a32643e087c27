package io.tidemark.testkit.network;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** One connection through a relay. All state belongs to the event loop. */
final class Pipe {
  private static final int CONNECT_MILLIS = 2_000;

  private final Channel dialer;
  private final Side fromDialer;
  private final Side fromTarget;
  private @Nullable Channel target;

  /** A connection whose dialer isn't connected on yet. */
  Pipe(Channel dialer, boolean forwardOpen, boolean backwardOpen) {
    this.dialer = dialer;
    this.fromDialer = new Side(forwardOpen);
    this.fromTarget = new Side(backwardOpen);
  }

  /** Thread: the loop. */
  void connect(EventLoopGroup loop, int port) {
    dialer.pipeline().addLast(fromDialer);
    new Bootstrap()
        .group(loop)
        .channel(NioSocketChannel.class)
        .option(ChannelOption.AUTO_READ, false)
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
        .handler(fromTarget)
        .connect(InetAddress.getLoopbackAddress(), port)
        .addListener(
            (ChannelFutureListener)
                connected -> {
                  if (connected.isSuccess()) {
                    join(connected.channel());
                  } else {
                    Side.breakOff(dialer);
                  }
                });
  }

  private void join(Channel connected) {
    target = connected;
    connected.closeFuture().addListener(closed -> dropIfOver());
    dialer.closeFuture().addListener(closed -> dropIfOver());
    fromDialer.join(dialer, connected);
    fromTarget.join(connected, dialer);
  }

  private void dropIfOver() {
    if (!dialer.isOpen() && (target == null || !target.isOpen())) {
      fromDialer.drop();
      fromTarget.drop();
    }
  }

  /** Thread: any. */
  void gates(boolean forward, boolean backward) {
    dialer
        .eventLoop()
        .execute(
            () -> {
              fromDialer.gate(forward);
              fromTarget.gate(backward);
            });
  }

  /** Breaks both ends. Thread: any. */
  void breakUp() {
    dialer
        .eventLoop()
        .execute(
            () -> {
              Side.breakOff(dialer);
              Side.breakOff(target);
            });
  }
}
