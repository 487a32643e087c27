package io.tidemark.server.edge;

import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.netty.GrpcHttp2ConnectionHandler;
import io.grpc.netty.InternalProtocolNegotiator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.group.ChannelGroup;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.AsciiString;
import io.netty.util.ReferenceCountUtil;
import io.tidemark.server.http.HttpEndpoint;
import io.tidemark.server.rpc.CallLoop;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a new connection the pipeline that its first bytes ask for. grpc-netty hands over its
 * connection handler; it gets into the pipeline only when the connection turns out to be gRPC.
 */
final class EdgeNegotiator implements InternalProtocolNegotiator.ProtocolNegotiator {
  private static final Logger LOG = LoggerFactory.getLogger(EdgeNegotiator.class);

  private static final String FRAMES = "http2-frames";

  private final @Nullable ServerTls tls;
  private final EdgeSettings settings;
  private final Serves serves;
  private final HttpEndpoint http;
  private final ChannelGroup connections;
  private final EdgeBounds bounds;

  EdgeNegotiator(
      @Nullable ServerTls tls,
      EdgeSettings settings,
      Serves serves,
      HttpEndpoint http,
      ChannelGroup connections,
      EdgeBounds bounds) {
    this.tls = tls;
    this.settings = settings;
    this.serves = serves;
    this.http = http;
    this.connections = connections;
    this.bounds = bounds;
  }

  @Override
  public AsciiString scheme() {
    return AsciiString.of(tls == null ? "http" : "https");
  }

  @Override
  public ChannelHandler newHandler(GrpcHttp2ConnectionHandler grpc) {
    return new Opening(grpc);
  }

  @Override
  public void close() {}

  /** The names in Host headers are judged without TLS only. */
  private HttpAccess access() {
    HttpAccess access = settings.access();
    return tls == null ? access : new HttpAccess(access.origins(), Set.of());
  }

  EdgeSettings.Timings timings() {
    return settings.timings();
  }

  /** Gives the connection the pipeline for what it speaks, as far as this address takes it. */
  void become(
      FirstFrames.Verdict verdict, ChannelHandlerContext at, GrpcHttp2ConnectionHandler grpc) {
    if (verdict == FirstFrames.Verdict.UNDECIDED) {
      return;
    }
    switch (serves) {
      // grpc-netty has an answer of its own for everything else.
      case GRPC -> becomeGrpc(at, grpc);
      case PAGES -> {
        if (verdict == FirstFrames.Verdict.HTTP1) {
          becomeHttp1(at);
        } else {
          becomeHttp2(at);
        }
      }
      case BOTH -> {
        switch (verdict) {
          case HTTP1 -> becomeHttp1(at);
          case HTTP2 -> becomeHttp2(at);
          case GRPC, UNDECIDED -> becomeGrpc(at, grpc);
        }
      }
    }
  }

  private void becomeHttp1(ChannelHandlerContext at) {
    ChannelPipeline pipeline = at.pipeline();
    IncomingRequest incoming = incoming();
    HttpConnection pages = HttpConnection.http1(http, access(), bounds.open(), incoming);
    HttpObjectAggregator whole = new HttpObjectAggregator(bodyBytesMax());
    HttpServerCodec codec =
        new HttpServerCodec(
            new HttpDecoderConfig()
                .setMaxInitialLineLength(HttpRefusals.HEAD_BYTES_MAX)
                .setMaxHeaderSize(HttpRefusals.HEAD_BYTES_MAX));
    at.channel().config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
    pipeline.addAfter(at.name(), null, pages);
    pipeline.addAfter(at.name(), null, whole);
    pipeline.addAfter(at.name(), null, incoming);
    pipeline.addAfter(at.name(), null, codec);
    pipeline.addAfter(at.name(), null, incoming.heads());
    pipeline.remove(at.handler());
  }

  private void becomeHttp2(ChannelHandlerContext at) {
    ChannelPipeline pipeline = at.pipeline();
    // The multiplexer looks for the codec when it is added.
    Http2FrameCodec frames = Http2FrameCodecBuilder.forServer().build();
    OpenStreams.count(frames, bounds.open(), false);
    pipeline.addAfter(at.name(), FRAMES, frames);
    // Connection frames that the multiplexer leaves over must not reach grpc-netty's last handler,
    // which takes them for an error.
    pipeline.addAfter(FRAMES, null, new LeftOvers());
    pipeline.addAfter(FRAMES, null, new Http2MultiplexHandler(new PageStream()));
    pipeline.remove(at.handler());
  }

  private void becomeGrpc(ChannelHandlerContext at, GrpcHttp2ConnectionHandler grpc) {
    ChannelPipeline pipeline = at.pipeline();
    Attributes.Builder attributes = attributes(at.channel());
    SslHandler ssl = pipeline.get(SslHandler.class);
    if (ssl != null) {
      attributes.set(Grpc.TRANSPORT_ATTR_SSL_SESSION, ssl.engine().getSession());
    }
    // The handler has to be in the pipeline before it hears that negotiation is over.
    OpenStreams.count(grpc, bounds.open(), true);
    pipeline.addAfter(at.name(), null, grpc);
    pipeline.addAfter(at.name(), null, new OutOfBuffers());
    grpc.handleProtocolNegotiationCompleted(attributes.build(), null);
    pipeline.remove(at.handler());
  }

  /**
   * What calls learn about their connection, whatever they came as. JSON calls learn no more: as in
   * etcd, a certificate logs nobody in through the gateway.
   */
  static Attributes.Builder attributes(Channel channel) {
    return Attributes.newBuilder()
        .set(Grpc.TRANSPORT_ATTR_LOCAL_ADDR, channel.localAddress())
        .set(Grpc.TRANSPORT_ATTR_REMOTE_ADDR, channel.remoteAddress())
        .set(CallLoop.KEY, channel.eventLoop());
  }

  /**
   * A message grows by a third in base64; what is still larger gets its refusal from the method.
   */
  private int bodyBytesMax() {
    return (int) Math.min(Integer.MAX_VALUE, settings.messageBytesMax() * 2L);
  }

  private IncomingRequest incoming() {
    return new IncomingRequest(bodyBytesMax(), bounds.arriving(), settings.timings());
  }

  /** First handler of every connection: puts TLS and the sniffer in place. */
  private final class Opening extends ChannelInboundHandlerAdapter {
    private final GrpcHttp2ConnectionHandler grpc;

    Opening(GrpcHttp2ConnectionHandler grpc) {
      this.grpc = grpc;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
      ChannelPipeline pipeline = ctx.pipeline();
      connections.add(ctx.channel());
      if (connections.size() > bounds.connectionsMax()) {
        LOG.debug("connection from {} closed: too many", ctx.channel().remoteAddress());
        var unused = ctx.close();
        return;
      }
      pipeline.addAfter(ctx.name(), null, new FirstBytes(EdgeNegotiator.this, grpc));
      if (tls != null) {
        SslHandler ssl = tls.context().newHandler(ctx.alloc());
        ssl.setHandshakeTimeoutMillis(settings.timings().firstBytes().toMillis());
        pipeline.addAfter(ctx.name(), null, ssl);
      }
      pipeline.remove(this);
    }
  }

  private final class PageStream extends ChannelInitializer<Channel> {
    @Override
    protected void initChannel(Channel stream) {
      IncomingRequest incoming = incoming();
      stream
          .pipeline()
          .addLast(
              new Http2StreamFrameToHttpObjectCodec(true),
              incoming,
              new HttpObjectAggregator(bodyBytesMax()),
              HttpConnection.stream(http, access(), bounds.open(), incoming));
    }
  }

  /**
   * Ends a connection for whose bytes there is no buffer: grpc-netty would tell the client why, in
   * words about this process.
   */
  private static final class OutOfBuffers extends ChannelInboundHandlerAdapter {
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      if (cause instanceof OutOfMemoryError) {
        LOG.debug("connection given up: {}", cause.toString());
        var unused = ctx.close();
      } else {
        ctx.fireExceptionCaught(cause);
      }
    }
  }

  private static final class LeftOvers extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object frame) {
      ReferenceCountUtil.release(frame);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      LOG.debug("HTTP/2 connection given up", cause);
      var unused = ctx.close();
    }
  }
}
