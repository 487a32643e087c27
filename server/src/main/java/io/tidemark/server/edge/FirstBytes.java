package io.tidemark.server.edge;

import io.grpc.netty.GrpcHttp2ConnectionHandler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.util.concurrent.Future;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the first bytes of a connection without consuming them and picks its pipeline.
 *
 * <ol>
 *   <li>Anything but an HTTP/2 preface is HTTP/1.1; a request to upgrade to h2c among it is
 *       answered as plain HTTP/1.1, which the protocol allows.
 *   <li>After a preface the first HEADERS frame decides: content type {@code application/grpc*} is
 *       gRPC, anything else a page. Clients may wait for our SETTINGS before they send a request,
 *       so an empty one goes out at once.
 *   <li>A PING, or no request for {@link EdgeSettings.Timings#firstRequest}, makes it gRPC: only
 *       gRPC clients keep idle connections.
 * </ol>
 *
 * Thread: the connection's event loop.
 */
final class FirstBytes extends ByteToMessageDecoder {
  private static final Logger LOG = LoggerFactory.getLogger(FirstBytes.class);
  private static final byte[] EMPTY_SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};

  private final EdgeNegotiator negotiator;
  private final GrpcHttp2ConnectionHandler grpc;
  private @Nullable Future<?> timer;
  private boolean prefaceSeen;

  FirstBytes(EdgeNegotiator negotiator, GrpcHttp2ConnectionHandler grpc) {
    this.negotiator = negotiator;
    this.grpc = grpc;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    arm(ctx, negotiator.timings().firstBytes().toMillis(), () -> abandon(ctx));
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    FirstFrames.Verdict verdict = FirstFrames.judge(in);
    if (verdict == FirstFrames.Verdict.HTTP1) {
      negotiator.become(verdict, ctx, grpc);
      return;
    }
    if (FirstFrames.startsHttp2(in) && !prefaceSeen) {
      prefaceSeen = true;
      var unused = ctx.writeAndFlush(Unpooled.wrappedBuffer(EMPTY_SETTINGS));
      arm(
          ctx,
          negotiator.timings().firstRequest().toMillis(),
          () -> negotiator.become(FirstFrames.Verdict.GRPC, ctx, grpc));
    }
    negotiator.become(verdict, ctx, grpc);
  }

  @Override
  protected void handlerRemoved0(ChannelHandlerContext ctx) {
    if (timer != null) {
      timer.cancel(false);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    LOG.debug("connection from {} given up: {}", ctx.channel().remoteAddress(), cause.toString());
    abandon(ctx);
  }

  private static void abandon(ChannelHandlerContext ctx) {
    var unused = ctx.close();
  }

  private void arm(ChannelHandlerContext ctx, long millis, Runnable then) {
    if (timer != null) {
      timer.cancel(false);
    }
    timer =
        ctx.executor()
            .schedule(
                () -> {
                  if (!ctx.isRemoved() && ctx.channel().isActive()) {
                    then.run();
                  }
                },
                millis,
                TimeUnit.MILLISECONDS);
  }
}
