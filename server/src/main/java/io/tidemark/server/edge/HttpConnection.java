package io.tidemark.server.edge;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.tidemark.server.http.HttpAnswer;
import io.tidemark.server.http.HttpEndpoint;
import io.tidemark.server.http.HttpQuestion;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
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

  /** Before the path, in requests of clients that take the server for a proxy. */
  private static final Pattern PROXIED =
      Pattern.compile("^https?://[^/]*", Pattern.CASE_INSENSITIVE);

  private final HttpEndpoint endpoint;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private boolean busy;

  private record Waiting(HttpQuestion question, boolean keepAlive) {}

  HttpConnection(HttpEndpoint endpoint) {
    this.endpoint = endpoint;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
    boolean keepAlive = HttpUtil.isKeepAlive(request);
    if (!request.decoderResult().isSuccess()) {
      write(ctx, HttpAnswer.text(400, "400 Bad Request\n"), false);
      return;
    }
    HttpQuestion question;
    try {
      question = question(request);
    } catch (IllegalArgumentException e) {
      // A broken escape in the address.
      write(ctx, HttpAnswer.text(400, "400 Bad Request\n"), false);
      return;
    }
    waiting.add(new Waiting(question, keepAlive));
    next(ctx);
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
    if (first.question().method().equals(HttpMethod.OPTIONS.name())) {
      finish(ctx, HttpAnswer.text(200, ""), first.keepAlive());
      return;
    }
    endpoint
        .answer(first.question())
        .whenComplete(
            (answer, failure) ->
                ctx.executor()
                    .execute(() -> finish(ctx, orError(answer, failure), first.keepAlive())));
  }

  private static HttpAnswer orError(@Nullable HttpAnswer answer, @Nullable Throwable failure) {
    if (answer != null) {
      return answer;
    }
    LOG.warn("HTTP request failed", failure);
    return HttpAnswer.text(500, "Internal Server Error\n");
  }

  private void finish(ChannelHandlerContext ctx, HttpAnswer answer, boolean keepAlive) {
    busy = false;
    if (!ctx.channel().isActive()) {
      return;
    }
    write(ctx, answer, keepAlive);
    if (keepAlive) {
      next(ctx);
    }
  }

  private static void write(ChannelHandlerContext ctx, HttpAnswer answer, boolean keepAlive) {
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
    var written = ctx.writeAndFlush(response);
    if (!keepAlive) {
      written.addListener(ChannelFutureListener.CLOSE);
    }
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
