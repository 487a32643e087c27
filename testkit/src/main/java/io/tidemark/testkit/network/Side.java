package io.tidemark.testkit.network;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection through a relay: what it receives goes to the other end, its close
 * included. It reads a buffer only when the last one has left, and holds what it has read while its
 * gate is closed, which is one buffer. Thread: the event loop, for everything.
 */
final class Side extends ChannelInboundHandlerAdapter {
  private final Queue<Object> held = new ArrayDeque<>();
  private boolean open;
  private boolean ended;
  private @Nullable Channel channel;
  private @Nullable Channel other;

  Side(boolean open) {
    this.open = open;
  }

  /** Begins to read. */
  void join(Channel self, Channel target) {
    channel = self;
    other = target;
    if (!self.isActive() || !target.isActive()) {
      breakOff(self);
      breakOff(target);
    } else {
      gate(open);
    }
  }

  void gate(boolean nowOpen) {
    open = nowOpen;
    Channel self = channel;
    if (!open || self == null) {
      return;
    }
    for (Object bytes = held.poll(); bytes != null; bytes = held.poll()) {
      pass(bytes);
    }
    if (ended) {
      passEnd();
    } else {
      self.read();
    }
  }

  /** Forgets what is held: nobody is left to take it. */
  void drop() {
    held.forEach(ReferenceCountUtil::release);
    held.clear();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object bytes) {
    if (open) {
      pass(bytes);
    } else {
      held.add(bytes);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    ended = true;
    if (open) {
      passEnd();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    breakOff(context.channel()); // its owner has reset it
  }

  private void pass(Object bytes) {
    Channel target = other;
    if (target == null) {
      ReferenceCountUtil.release(bytes);
      return;
    }
    target.writeAndFlush(bytes).addListener(sent -> onSent(sent.isSuccess()));
  }

  private void onSent(boolean success) {
    Channel self = channel;
    if (self == null) {
      return;
    }
    if (!success) {
      breakOff(self);
    } else if (open) {
      self.read();
    }
  }

  private void passEnd() {
    Channel target = other;
    if (target != null && target.isActive()) {
      target.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }
  }

  /** Ends a connection by a reset, as a killed process does: nobody takes it for an orderly end. */
  static void breakOff(@Nullable Channel channel) {
    if (channel != null && channel.isOpen()) {
      channel.config().setOption(ChannelOption.SO_LINGER, 0);
      channel.close();
    }
  }
}
