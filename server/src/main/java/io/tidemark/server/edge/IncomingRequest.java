package io.tidemark.server.edge;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import io.tidemark.server.rpc.ArrivingBytes;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The request that an HTTP/1.1 connection or an HTTP/2 stream is in the middle of sending: its
 * bytes are counted with those of all others, and it is given so long. Stands in front of the
 * handler that puts bodies together, which holds those bytes. What is refused goes on, in the place
 * of the request, as one that can't be read, so that it is answered in its turn; what comes behind
 * it is dropped.
 *
 * <p>While an answer is made or sent there is no limit of time; between two requests there is
 * another one. Thread: the connection's event loop.
 */
final class IncomingRequest extends ChannelInboundHandlerAdapter {
  /** A body that comes faster than this, on average, may take longer than the limit. */
  private static final int BYTES_PER_SECOND_MIN = 16 * 1024;

  private final int bodyBytesMax;
  private final ArrivingBytes.Budget budget;
  private final ArrivingBytes arriving;
  private final EdgeSettings.Timings timings;
  private @Nullable ChannelHandlerContext at;
  private @Nullable Future<?> timer;

  /** Of the request that arrives; when none does, without meaning. */
  private long sinceNanos;

  private long bytes;
  private long bodyBytes;
  private boolean countsHeads;
  private boolean arrives;
  private boolean answered;
  private boolean refused;

  /** Why a request was given up before it was whole. */
  static final class Refused extends Exception {
    private static final long serialVersionUID = 1;
    private final int status;

    private Refused(int status) {
      super("refused with " + status, null, false, false);
      this.status = status;
    }

    int status() {
      return status;
    }
  }

  IncomingRequest(int bodyBytesMax, ArrivingBytes.Budget budget, EdgeSettings.Timings timings) {
    this.bodyBytesMax = bodyBytesMax;
    this.budget = budget;
    this.arriving = budget.open();
    this.timings = timings;
  }

  /** To stand where bytes haven't been made requests of yet: heads count, and take time, too. */
  ChannelHandler heads() {
    countsHeads = true;
    return new Heads();
  }

  /** An answer is on its way. */
  void isAnswered() {
    answered = true;
    cancel();
  }

  /** All answers are written, and the connection goes on. */
  void isQuiet() {
    answered = false;
    if (arrives) {
      // Nothing was read meanwhile, so the client isn't late yet.
      sinceNanos = System.nanoTime();
      arm(timings.request().toNanos(), this::judgeTime);
    } else {
      arm(timings.idle().toNanos(), this::closeIdle);
    }
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    at = ctx;
    begin();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    over();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    over();
    ctx.fireChannelInactive();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (refused) {
      ReferenceCountUtil.release(message);
      return;
    }
    int refusal = refusal(message);
    if (refusal != 0) {
      ReferenceCountUtil.release(message);
      refuse(ctx, refusal);
      return;
    }
    boolean last = message instanceof LastHttpContent;
    ctx.fireChannelRead(message);
    if (last && !refused) {
      whole();
    }
  }

  /** The status that ends the request here; 0 for none. */
  private int refusal(Object message) {
    if (message instanceof HttpRequest request) {
      long promised = promised(request);
      bodyBytes = 0;
      if (promised > bodyBytesMax) {
        return 413;
      }
      if (!budget.hasRoomFor(promised)) {
        return 429;
      }
    }
    if (!(message instanceof HttpContent content)) {
      return 0;
    }
    int more = content.content().readableBytes();
    bodyBytes += more;
    if (bodyBytes > bodyBytesMax) {
      return 413;
    }
    return countsHeads || came(more) ? 0 : 429;
  }

  private static long promised(HttpRequest request) {
    try {
      return HttpUtil.getContentLength(request, 0L);
    } catch (NumberFormatException unreadable) {
      return 0;
    }
  }

  /** Whether there is room for them. */
  private boolean came(int more) {
    if (!arrives) {
      begin();
    }
    bytes += more;
    return arriving.arrived(more);
  }

  private void begin() {
    arrives = true;
    sinceNanos = System.nanoTime();
    bytes = 0;
    if (!answered) {
      arm(timings.request().toNanos(), this::judgeTime);
    }
  }

  private void whole() {
    arrives = false;
    arriving.taken();
    if (!answered) {
      isQuiet();
    }
  }

  private void judgeTime() {
    long granted =
        timings.request().toNanos() + TimeUnit.SECONDS.toNanos(bytes) / BYTES_PER_SECOND_MIN;
    long left = sinceNanos + granted - System.nanoTime();
    ChannelHandlerContext ctx = at;
    if (left > 0) {
      arm(left, this::judgeTime);
    } else if (ctx != null) {
      refuse(ctx, 408);
    }
  }

  private void refuse(ChannelHandlerContext ctx, int status) {
    refused = true;
    over();
    // With it goes what it has of the body.
    ctx.pipeline().remove(HttpObjectAggregator.class);
    FullHttpRequest refusal =
        new DefaultFullHttpRequest(
            HttpVersion.HTTP_1_1, HttpMethod.GET, "/", Unpooled.EMPTY_BUFFER);
    refusal.setDecoderResult(DecoderResult.failure(new Refused(status)));
    ctx.fireChannelRead(refusal);
  }

  private void closeIdle() {
    ChannelHandlerContext ctx = at;
    if (ctx != null) {
      var unused = ctx.close();
    }
  }

  private void over() {
    cancel();
    arriving.taken();
  }

  private void cancel() {
    Future<?> armed = timer;
    timer = null;
    if (armed != null) {
      armed.cancel(false);
    }
  }

  private void arm(long nanos, Runnable then) {
    cancel();
    ChannelHandlerContext ctx = at;
    if (ctx != null && !refused) {
      timer = ctx.executor().schedule(then, nanos, TimeUnit.NANOSECONDS);
    }
  }

  private final class Heads extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ChannelHandlerContext next = at;
      boolean room = !(message instanceof ByteBuf piece) || came(piece.readableBytes());
      if (!refused && room) {
        ctx.fireChannelRead(message);
        return;
      }
      ReferenceCountUtil.release(message);
      if (!refused && next != null) {
        refuse(next, 429);
      }
    }
  }
}
