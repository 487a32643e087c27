package io.tidemark.server.edge;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.ssl.SslHandler;
import io.tidemark.server.http.HttpAnswer;
import io.tidemark.server.http.HttpEndpoint;
import io.tidemark.server.http.HttpQuestion;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the HTTP requests of one HTTP/1.1 connection or one HTTP/2 stream, one at a time and in
 * order. While one is being answered nothing more is read, so requests that wait here are only
 * those that came in the same read.
 *
 * <p>Thread: the connection's event loop.
 */
final class HttpConnection extends SimpleChannelInboundHandler<FullHttpRequest> {
  private static final Logger LOG = LoggerFactory.getLogger(HttpConnection.class);

  private static final long LINGER_MILLIS = 500;

  /** Before the path, in requests of clients that take the server for a proxy. */
  private static final Pattern PROXIED =
      Pattern.compile("^https?://[^/]*", Pattern.CASE_INSENSITIVE);

  private final HttpEndpoint endpoint;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private final boolean hostNeeded;
  private boolean busy;

  /** Nothing more will come in: the client has closed its half of the connection. */
  private boolean inputOver;

  /** The last answer is written; whatever still comes in is dropped. */
  private boolean outputOver;

  /**
   * One request.
   *
   * @param answer asks for the answer, once
   * @param refused whether no page gets to see it
   */
  private record Waiting(
      Supplier<CompletionStage<HttpAnswer>> answer, boolean keepAlive, boolean refused) {}

  private HttpConnection(HttpEndpoint endpoint, boolean hostNeeded) {
    this.endpoint = endpoint;
    this.hostNeeded = hostNeeded;
  }

  /** For a connection that speaks HTTP/1.1. */
  static HttpConnection http1(HttpEndpoint endpoint) {
    return new HttpConnection(endpoint, true);
  }

  /** For one stream of an HTTP/2 connection. */
  static HttpConnection stream(HttpEndpoint endpoint) {
    return new HttpConnection(endpoint, false);
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
    if (!outputOver) {
      waiting.add(judged(request));
      next(ctx);
    }
  }

  private Waiting judged(FullHttpRequest request) {
    HttpAnswer refusal = HttpRefusals.undecodable(request);
    if (refusal == null && hostNeeded) {
      refusal = HttpRefusals.hostless(request);
    }
    if (refusal != null) {
      return refused(refusal);
    }
    try {
      HttpQuestion question = question(request);
      return new Waiting(() -> answer(question), HttpUtil.isKeepAlive(request), false);
    } catch (IllegalArgumentException brokenEscapeInAddress) {
      return refused(HttpRefusals.badRequest());
    }
  }

  private static Waiting refused(HttpAnswer refusal) {
    return new Waiting(() -> CompletableFuture.completedFuture(refusal), false, true);
  }

  private CompletionStage<HttpAnswer> answer(HttpQuestion question) {
    return question.method().equals(HttpMethod.OPTIONS.name())
        ? CompletableFuture.completedFuture(HttpAnswer.text(200, ""))
        : endpoint.answer(question);
  }

  /**
   * A client may close its half right behind its last request; it gets its answers all the same.
   */
  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (!(event instanceof ChannelInputShutdownEvent)) {
      ctx.fireUserEventTriggered(event);
      return;
    }
    inputOver = true;
    if (!busy) {
      // behind what is still being written
      ctx.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    LOG.debug("HTTP connection given up: {}", cause.toString());
    var unused = ctx.close();
  }

  private void next(ChannelHandlerContext ctx) {
    if (busy) {
      return;
    }
    Waiting first = waiting.poll();
    ctx.channel().config().setAutoRead(first == null);
    if (first == null) {
      return;
    }
    busy = true;
    first
        .answer()
        .get()
        .whenComplete(
            (answer, failure) ->
                ctx.executor().execute(() -> finish(ctx, first, orError(answer, failure))));
  }

  private static HttpAnswer orError(@Nullable HttpAnswer answer, @Nullable Throwable failure) {
    if (answer != null) {
      return answer;
    }
    LOG.warn("HTTP request failed", failure);
    return HttpAnswer.text(500, "Internal Server Error\n");
  }

  private void finish(ChannelHandlerContext ctx, Waiting request, HttpAnswer answer) {
    busy = false;
    if (!ctx.channel().isActive()) {
      return;
    }
    ChannelFuture written = write(ctx, answer, request.keepAlive());
    if (request.keepAlive() && !(inputOver && waiting.isEmpty())) {
      next(ctx);
      return;
    }
    outputOver = true;
    waiting.clear();
    if (request.refused() && !inputOver) {
      written.addListener(done -> endOutput(ctx));
    } else {
      written.addListener(ChannelFutureListener.CLOSE);
    }
  }

  /**
   * Closing a socket with unread bytes would reset it, and the reset may overtake the answer; so
   * only our half ends, and what still comes in is read and dropped until the client closes, or a
   * moment has passed.
   */
  private static void endOutput(ChannelHandlerContext ctx) {
    ctx.channel().config().setAutoRead(true);
    SslHandler ssl = ctx.pipeline().get(SslHandler.class);
    if (ssl != null) {
      var goodbye = ssl.closeOutbound();
    } else if (ctx.channel() instanceof DuplexChannel socket) {
      var end = socket.shutdownOutput();
    }
    var unused = ctx.executor().schedule(() -> ctx.close(), LINGER_MILLIS, TimeUnit.MILLISECONDS);
  }

  private static ChannelFuture write(
      ChannelHandlerContext ctx, HttpAnswer answer, boolean keepAlive) {
    ByteBuf body = Unpooled.wrappedBuffer(answer.body().asReadOnlyByteBuffer());
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(answer.status()), body);
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, answer.contentType())
        .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_METHODS, "POST, GET, OPTIONS, PUT, DELETE")
        .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN, "*")
        .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_HEADERS, "accept, content-type, authorization");
    answer.headers().forEach((name, value) -> response.headers().set(name, value));
    HttpUtil.setContentLength(response, body.readableBytes());
    HttpUtil.setKeepAlive(response, keepAlive);
    return ctx.writeAndFlush(response);
  }

  private static HttpQuestion question(FullHttpRequest request) {
    QueryStringDecoder uri = new QueryStringDecoder(request.uri(), StandardCharsets.UTF_8);
    String path = PROXIED.matcher(uri.path()).replaceFirst("");
    Map<String, String> headers = new HashMap<>();
    request
        .headers()
        .forEach(header -> headers.putIfAbsent(lower(header.getKey()), header.getValue()));
    return new HttpQuestion(
        request.method().name(),
        path,
        uri.parameters(),
        headers,
        ByteString.copyFrom(ByteBufUtil.getBytes(request.content())));
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
