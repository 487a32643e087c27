package io.tidemark.server.edge;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import io.tidemark.server.http.HttpFlow;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Writes the parts of a body. Those of one turn of the event loop leave together. Thread: the
 * connection's event loop.
 */
final class FlowSink implements HttpFlow.Sink {
  private final ChannelHandlerContext ctx;
  private final Consumer<ChannelFuture> onEnd;
  private boolean flushes;
  private boolean ended;

  FlowSink(ChannelHandlerContext ctx, Consumer<ChannelFuture> onEnd) {
    this.ctx = ctx;
    this.onEnd = onEnd;
  }

  @Override
  public void write(ByteString part, Runnable written) {
    if (ended) {
      throw new IllegalStateException("the body is complete");
    }
    ctx.write(new DefaultHttpContent(buffer(part))).addListener(done -> written.run());
    if (!flushes) {
      flushes = true;
      ctx.executor()
          .execute(
              () -> {
                flushes = false;
                ctx.flush();
              });
    }
  }

  @Override
  public void end() {
    if (!ended) {
      ended = true;
      onEnd.accept(ctx.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT));
    }
  }

  /** The same bytes, not copied. */
  static ByteBuf buffer(ByteString bytes) {
    return Unpooled.wrappedBuffer(bytes.asReadOnlyByteBufferList().toArray(new ByteBuffer[0]));
  }
}
