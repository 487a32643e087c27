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
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.ssl.SslHandler;
import io.tidemark.server.http.HttpAnswer;
import io.tidemark.server.http.HttpCaller;
import io.tidemark.server.http.HttpEndpoint;
import io.tidemark.server.http.HttpFlow;
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
 * those that came in the same read. Requests are counted as open calls until they are answered.
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
  private final HttpAccess access;
  private final OpenBytes open;
  private final IncomingRequest incoming;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private final boolean hostNeeded;
  private boolean busy;

  /** What the requests here are counted with. */
  private long heldBytes;

  /** Who waits for the answer that is being made or sent. */
  private HttpCaller served = HttpCaller.nobody();

  /** Nothing more will come in: the client has closed its half of the connection. */
  private boolean inputOver;

  /** The last answer is written; whatever still comes in is dropped. */
  private boolean outputOver;

  /**
   * One request.
   *
   * @param answer asks for the answer, once
   * @param bytes what it is counted with
   * @param lasting whether the connection may go on afterwards
   * @param chunked whether the client understands bodies in chunks
   * @param refused whether no page gets to see it
   * @param origin the site whose page may read the answer, {@code *} for any; null for none
   */
  private record Waiting(
      Supplier<CompletionStage<HttpAnswer>> answer,
      HttpCaller caller,
      long bytes,
      boolean lasting,
      boolean chunked,
      boolean refused,
      @Nullable String origin) {}

  private HttpConnection(
      HttpEndpoint endpoint,
      HttpAccess access,
      boolean hostNeeded,
      OpenBytes open,
      IncomingRequest incoming) {
    this.endpoint = endpoint;
    this.access = access;
    this.hostNeeded = hostNeeded;
    this.open = open;
    this.incoming = incoming;
  }

  /** For a connection that speaks HTTP/1.1. */
  static HttpConnection http1(
      HttpEndpoint endpoint, HttpAccess access, OpenBytes open, IncomingRequest incoming) {
    return new HttpConnection(endpoint, access, true, open, incoming);
  }

  /** For one stream of an HTTP/2 connection. */
  static HttpConnection stream(
      HttpEndpoint endpoint, HttpAccess access, OpenBytes open, IncomingRequest incoming) {
    return new HttpConnection(endpoint, access, false, open, incoming);
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
    if (!outputOver) {
      waiting.add(judged(ctx, request));
      next(ctx);
    }
  }

  private Waiting judged(ChannelHandlerContext ctx, FullHttpRequest request) {
    HttpAnswer refusal = HttpRefusals.undecodable(request);
    if (refusal == null && hostNeeded) {
      refusal = HttpRefusals.hostless(request);
    }
    if (refusal != null) {
      return refused(refusal);
    }
    long bytes = bytes(request);
    if (!open.take(bytes)) {
      return refused(HttpRefusals.tooMany());
    }
    heldBytes += bytes;
    try {
      HttpCaller caller = new HttpCaller(EdgeNegotiator.attributes(ctx.channel()).build());
      HttpQuestion question = question(request, caller);
      boolean lasting = HttpUtil.isKeepAlive(request);
      boolean chunked = !request.protocolVersion().equals(HttpVersion.HTTP_1_0);
      String host = question.headers().get("host");
      if (!access.serves(host)) {
        var answer = CompletableFuture.completedFuture(HttpRefusals.misdirected(host));
        return new Waiting(() -> answer, caller, bytes, lasting, chunked, false, null);
      }
      String origin = access.allowedOrigin(question.headers().get("origin"));
      return new Waiting(() -> answer(question), caller, bytes, lasting, chunked, false, origin);
    } catch (IllegalArgumentException brokenEscapeInAddress) {
      release(bytes);
      return refused(HttpRefusals.badRequest());
    }
  }

  private static Waiting refused(HttpAnswer refusal) {
    return new Waiting(
        () -> CompletableFuture.completedFuture(refusal),
        HttpCaller.nobody(),
        0,
        false,
        true,
        true,
        null);
  }

  /** The head, and the body, which a call that stays open keeps. */
  private static long bytes(FullHttpRequest request) {
    long bytes = OpenBytes.CALL_BYTES + request.uri().length() + request.content().readableBytes();
    for (Map.Entry<String, String> header : request.headers()) {
      bytes += header.getKey().length() + header.getValue().length();
    }
    return bytes;
  }

  /** A flow may end after its connection, when everything has been given back. */
  private void release(long bytes) {
    long less = Math.min(bytes, heldBytes);
    heldBytes -= less;
    open.giveBack(less);
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
    served.markGone();
    if (!busy) {
      // behind what is still being written
      ctx.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    waiting.clear();
    release(heldBytes);
    served.markGone();
    served.markOver();
    ctx.fireChannelInactive();
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
      incoming.isQuiet();
      return;
    }
    busy = true;
    incoming.isAnswered();
    served = first.caller();
    if (inputOver) {
      served.markGone();
    }
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
    if (!ctx.channel().isActive()) {
      served.markOver();
      return;
    }
    HttpFlow flow = answer.flow();
    boolean lasting = request.lasting() && (flow == null || request.chunked());
    if (flow == null) {
      settle(ctx, request, lasting, write(ctx, request, answer, lasting));
    } else {
      writeHead(ctx, request, answer, lasting);
      flow.start(new FlowSink(ctx, written -> settle(ctx, request, lasting, written)));
    }
  }

  /** The last of an answer is on its way; what comes next? */
  private void settle(
      ChannelHandlerContext ctx, Waiting request, boolean lasting, ChannelFuture written) {
    busy = false;
    release(request.bytes());
    HttpCaller caller = request.caller();
    written.addListener(done -> caller.markOver());
    if (lasting && !(inputOver && waiting.isEmpty())) {
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
      ChannelHandlerContext ctx, Waiting request, HttpAnswer answer, boolean keepAlive) {
    ByteBuf body = FlowSink.buffer(answer.body());
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(answer.status()), body);
    head(response, request, answer, keepAlive);
    HttpUtil.setContentLength(response, body.readableBytes());
    return ctx.writeAndFlush(response);
  }

  private static void writeHead(
      ChannelHandlerContext ctx, Waiting request, HttpAnswer answer, boolean keepAlive) {
    HttpResponse response =
        new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(answer.status()));
    head(response, request, answer, keepAlive);
    HttpUtil.setTransferEncodingChunked(response, request.chunked());
    var unused = ctx.writeAndFlush(response);
  }

  private static void head(
      HttpResponse response, Waiting request, HttpAnswer answer, boolean keepAlive) {
    HttpHeaders headers = response.headers();
    headers.set(HttpHeaderNames.CONTENT_TYPE, answer.contentType());
    String origin = request.origin();
    if (origin != null) {
      headers
          .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_METHODS, "POST, GET, OPTIONS, PUT, DELETE")
          .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN, origin)
          .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_HEADERS, "accept, content-type, authorization");
    }
    answer.headers().forEach(headers::set);
    HttpUtil.setKeepAlive(response, keepAlive);
  }

  private static HttpQuestion question(FullHttpRequest request, HttpCaller caller) {
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
        ByteString.copyFrom(ByteBufUtil.getBytes(request.content())),
        caller);
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
