package io.tidemark.server.edge;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import io.tidemark.api.errors.EtcdError;
import java.util.Map;

/**
 * Counts what the streams of one HTTP/2 connection hold, from their headers until the connection
 * has forgotten them, and answers those that there is no room for in place of the handler that
 * would keep them. A stream is reset behind its refusal: a client that leaves its half open would
 * make the connection remember it.
 *
 * <p>Thread: the connection's event loop.
 */
final class OpenStreams extends Http2FrameListenerDecorator {
  /** Of a header field, besides name and value; what HTTP/2 counts for its own limit. */
  private static final int FIELD_BYTES = 32;

  private final Http2ConnectionHandler http2;
  private final OpenBytes budget;
  private final boolean grpc;
  private final Http2Connection.PropertyKey taken;

  private OpenStreams(Http2ConnectionHandler http2, OpenBytes budget, boolean grpc) {
    super(http2.decoder().frameListener());
    this.http2 = http2;
    this.budget = budget;
    this.grpc = grpc;
    this.taken = http2.connection().newKey();
  }

  /**
   * Counts the streams of a connection that has none yet.
   *
   * @param grpc whether refusals are gRPC's or those of a page
   */
  static void count(Http2ConnectionHandler http2, OpenBytes budget, boolean grpc) {
    OpenStreams streams = new OpenStreams(http2, budget, grpc);
    http2.decoder().frameListener(streams);
    http2
        .connection()
        .addListener(
            new Http2ConnectionAdapter() {
              @Override
              public void onStreamRemoved(Http2Stream stream) {
                streams.giveBack(stream);
              }
            });
  }

  @Override
  public void onHeadersRead(
      ChannelHandlerContext ctx, int id, Http2Headers headers, int padding, boolean end)
      throws Http2Exception {
    if (taken(ctx, id, headers)) {
      super.onHeadersRead(ctx, id, headers, padding, end);
    }
  }

  @Override
  public void onHeadersRead(
      ChannelHandlerContext ctx,
      int id,
      Http2Headers headers,
      int dependency,
      short weight,
      boolean exclusive,
      int padding,
      boolean end)
      throws Http2Exception {
    if (taken(ctx, id, headers)) {
      super.onHeadersRead(ctx, id, headers, dependency, weight, exclusive, padding, end);
    }
  }

  /** Until the reset is written the rest of a refused stream may still come. */
  @Override
  public int onDataRead(ChannelHandlerContext ctx, int id, ByteBuf data, int padding, boolean end)
      throws Http2Exception {
    Http2Stream stream = http2.connection().stream(id);
    return stream == null || stream.getProperty(taken) == null
        ? data.readableBytes() + padding
        : super.onDataRead(ctx, id, data, padding, end);
  }

  private boolean taken(ChannelHandlerContext ctx, int id, Http2Headers headers) {
    Http2Stream stream = http2.connection().stream(id);
    if (stream == null) {
      return true;
    }
    Long before = stream.getProperty(taken);
    long bytes = bytes(headers) + (before == null ? OpenBytes.CALL_BYTES : 0);
    if (budget.take(bytes)) {
      stream.setProperty(taken, before == null ? bytes : before + bytes);
      return true;
    }
    if (before == null) {
      refuse(ctx, id);
    } else {
      reset(ctx, id, Http2Error.ENHANCE_YOUR_CALM);
    }
    return false;
  }

  private void giveBack(Http2Stream stream) {
    Long bytes = stream.removeProperty(taken);
    if (bytes != null) {
      budget.giveBack(bytes);
    }
  }

  private void refuse(ChannelHandlerContext ctx, int id) {
    var written =
        http2
            .encoder()
            .writeHeaders(ctx, id, grpc ? inGrpc() : inHttp(), 0, true, ctx.newPromise());
    reset(ctx, id, Http2Error.NO_ERROR);
  }

  private void reset(ChannelHandlerContext ctx, int id, Http2Error why) {
    var written = http2.resetStream(ctx, id, why.code(), ctx.newPromise());
  }

  private static Http2Headers inGrpc() {
    return new DefaultHttp2Headers()
        .status("200")
        .add("content-type", "application/grpc")
        .add("grpc-status", "8")
        .add("grpc-message", EtcdError.TOO_MANY_REQUESTS.message());
  }

  private static Http2Headers inHttp() {
    return new DefaultHttp2Headers().status("429");
  }

  private static long bytes(Http2Headers headers) {
    long bytes = 0;
    for (Map.Entry<CharSequence, CharSequence> field : headers) {
      bytes += field.getKey().length() + field.getValue().length() + FIELD_BYTES;
    }
    return bytes;
  }
}
