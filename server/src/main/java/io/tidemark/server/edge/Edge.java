package io.tidemark.server.edge;

import io.grpc.Server;
import io.grpc.netty.InternalNettyServerBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.netty.util.internal.PlatformDependent;
import io.tidemark.clusterconfig.tls.TlsSettings;
import io.tidemark.server.http.HttpEndpoint;
import io.tidemark.server.rpc.CallTracers;
import io.tidemark.server.rpc.Methods;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The open client ports of a member. Each listen URL takes gRPC, HTTP/1.1 and plain HTTP/2 side by
 * side, or gRPC alone when the pages have URLs of their own.
 *
 * <p>Handlers run on event loops and must not block. Ping policy as etcd's: pings are welcome down
 * to {@link EdgeSettings.Keepalive#clientPingMin}, also without calls, so that idle clients aren't
 * thrown out.
 */
public final class Edge implements AutoCloseable {
  /** Headers of one call; tokens and the like are far smaller. */
  private static final int METADATA_BYTES_MAX = 64 * 1024;

  // Larger messages are still read up to this factor, so that they can be refused in etcd's words.
  private static final int OVERSIZE_FACTOR = 4;
  private static final long STOP_SECONDS = 1;
  // Connections that aren't gRPC never end grpc's handshake; ours is timed by FirstBytes.
  private static final long HANDSHAKE_DAYS = 10_000;

  private final EdgeLoops loops;
  private final List<Server> servers = new ArrayList<>();
  private final ChannelGroup connections =
      new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);

  private final EdgeBounds bounds;

  private @Nullable ServerTls tls;
  private int callUrls;

  private Edge(EdgeLoops loops, EdgeLimits limits) {
    this.loops = loops;
    this.bounds = EdgeBounds.of(limits);
  }

  /**
   * Binds every URL. Blocks until they are bound or one can't be; then none is left open.
   *
   * @throws IOException when a URL can't be bound or the TLS files can't be read
   */
  public static Edge open(EdgeSettings settings, Methods methods, HttpEndpoint http)
      throws IOException {
    Edge edge = new Edge(new EdgeLoops(settings.member()), settings.limits());
    try {
      TlsSettings chosen = settings.tls();
      ServerTls tls = chosen == null ? null : new ServerTls(settings.member(), chosen);
      edge.tls = tls;
      boolean withPages = settings.pageUrls().isEmpty();
      for (URI url : settings.listenUrls()) {
        edge.bind(
            url,
            new EdgeNegotiator(
                tlsOf(url, tls),
                settings,
                withPages ? Serves.BOTH : Serves.GRPC,
                http,
                edge.connections,
                edge.bounds),
            settings,
            methods);
      }
      edge.callUrls = edge.servers.size();
      for (URI url : settings.pageUrls()) {
        edge.bind(
            url,
            new EdgeNegotiator(
                tlsOf(url, tls), settings, Serves.PAGES, http, edge.connections, edge.bounds),
            settings,
            methods);
      }
      return edge;
    } catch (IOException | RuntimeException e) {
      edge.close();
      throw e;
    }
  }

  /** Bytes that network buffers of this process may take in all. */
  public static long bufferBytesMax() {
    return PlatformDependent.maxDirectMemory();
  }

  /** Ports in the order of the listen URLs; -1 for a unix socket. */
  public List<Integer> ports() {
    return servers.stream().limit(callUrls).map(Server::getPort).toList();
  }

  /** Connections open now, whatever they speak. */
  public int connectionCount() {
    return connections.size();
  }

  /** What clients make this edge hold. */
  EdgeBounds bounds() {
    return bounds;
  }

  /** Stops accepting and tells clients to move on; running calls go on. Does not block. */
  public void drain() {
    servers.forEach(Server::shutdown);
  }

  /** Ends every connection and blocks until the threads have ended, a few seconds at most. */
  @Override
  public void close() {
    servers.forEach(Server::shutdownNow);
    var unused = connections.close();
    boolean interrupted = false;
    for (Server server : servers) {
      try {
        server.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    loops.close();
    if (tls != null) {
      tls.close();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void bind(URI url, EdgeNegotiator negotiator, EdgeSettings settings, Methods methods)
      throws IOException {
    boolean unix = isUnix(url);
    EdgeSettings.Keepalive keepalive = settings.keepalive();
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(unix ? path(url) : address(url))
            .directExecutor()
            .bossEventLoopGroup(loops.acceptors())
            .workerEventLoopGroup(loops.workers())
            .channelType(unix ? loops.unix() : loops.tcp())
            .protocolNegotiator(negotiator)
            .permitKeepAliveTime(leastPause(keepalive).toMillis(), TimeUnit.MILLISECONDS)
            .permitKeepAliveWithoutCalls(true)
            .maxInboundMessageSize(oversize(settings.messageBytesMax()))
            .maxInboundMetadataSize(METADATA_BYTES_MAX)
            .maxConcurrentCallsPerConnection(settings.concurrentStreamsMax())
            .handshakeTimeout(HANDSHAKE_DAYS, TimeUnit.DAYS)
            .addStreamTracerFactory(bounds.arriving())
            .addStreamTracerFactory(new CallTracers(methods.tallies()))
            .fallbackHandlerRegistry(methods);
    if (!keepalive.serverPingInterval().isZero()) {
      builder
          .keepAliveTime(keepalive.serverPingInterval().toMillis(), TimeUnit.MILLISECONDS)
          .keepAliveTimeout(keepalive.serverPingTimeout().toMillis(), TimeUnit.MILLISECONDS);
    }
    InternalNettyServerBuilder.setStatsEnabled(builder, false);
    InternalNettyServerBuilder.setTracingEnabled(builder, false);
    try {
      servers.add(builder.build().start());
    } catch (IOException e) {
      throw new IOException("cannot listen on " + url + ": " + rootMessage(e), e);
    }
  }

  /** Pings that leave a client at the least pause may well arrive a little closer together. */
  private static Duration leastPause(EdgeSettings.Keepalive keepalive) {
    return keepalive.clientPingMin().multipliedBy(9).dividedBy(10);
  }

  private static String rootMessage(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return String.valueOf(root.getMessage());
  }

  private static int oversize(int messageBytesMax) {
    return (int) Math.min(Integer.MAX_VALUE, (long) messageBytesMax * OVERSIZE_FACTOR);
  }

  private static boolean needsTls(URI url) {
    return "https".equals(url.getScheme()) || "unixs".equals(url.getScheme());
  }

  private static @Nullable ServerTls tlsOf(URI url, @Nullable ServerTls tls) throws IOException {
    if (!needsTls(url)) {
      return null;
    }
    if (tls == null) {
      throw new IOException(url + " needs a certificate and a key file");
    }
    return tls;
  }

  private static boolean isUnix(URI url) {
    return "unix".equals(url.getScheme()) || "unixs".equals(url.getScheme());
  }

  /** As in etcd: {@code unix:///a/b} is that path, {@code unix://a:1} the relative path "a:1". */
  private static SocketAddress path(URI url) {
    String authority = url.getRawAuthority();
    String path = url.getPath() == null ? "" : url.getPath();
    return new DomainSocketAddress(authority == null ? path : authority + path);
  }

  private static SocketAddress address(URI url) throws IOException {
    return new InetSocketAddress(InetAddress.getByName(url.getHost()), url.getPort());
  }
}
