package io.tidemark.raftcore.ratis;

import io.tidemark.raftcore.metrics.PeerTraffic;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.thirdparty.io.grpc.ServerServiceDefinition;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.apache.ratis.thirdparty.io.netty.channel.EventLoopGroup;
import org.apache.ratis.util.NettyUtils;

/**
 * What listens where: Ratis's server protocol and our own peer calls on the peer port, and nothing
 * else anywhere.
 *
 * <p>Ratis's client and admin services would let anybody who reaches them write raw entries or
 * change the configuration, and it can't be told to leave them out. It builds them on ports of
 * their own; those builders are swapped here for an empty server on a free loopback port.
 */
final class PeerPort implements GrpcServices.Customizer, AutoCloseable {
  private static final int WORKERS = 2;

  private final PeerTransport transport;
  private final PeerTraffic traffic;
  private final RemovedSenders removed;
  private final EventLoopGroup bosses;
  private final EventLoopGroup workers;
  private volatile List<ServerServiceDefinition> services = List.of();

  PeerPort(String id, PeerTransport transport, PeerTraffic traffic, LongPredicate removed) {
    this.transport = transport;
    this.traffic = traffic;
    this.removed = new RemovedSenders(id, removed);
    this.bosses = NettyUtils.newEventLoopGroup("tidemark-" + id + "-peer-accept", 1, true);
    this.workers = NettyUtils.newEventLoopGroup("tidemark-" + id + "-peer-io", WORKERS, true);
  }

  /** Adds our calls; set before the server is built. */
  void serve(ServerServiceDefinition... definitions) {
    this.services = List.of(definitions);
  }

  @Override
  public NettyServerBuilder customize(
      NettyServerBuilder builder, EnumSet<GrpcServices.Type> types) {
    if (!types.contains(GrpcServices.Type.SERVER)) {
      return looped(
          NettyServerBuilder.forAddress(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
    }
    if (types.size() > 1) {
      throw new IllegalStateException("client or admin services on the peer port: " + types);
    }
    services.forEach(builder::addService);
    // The last one comes first: what is refused was received all the same.
    return looped(
        transport
            .secure(builder)
            .intercept(removed)
            .intercept(new PeerTrafficInterceptor(traffic)));
  }

  /** Ends the event loops soon: Ratis has closed its servers, but late calls may still finish. */
  @Override
  public void close() {
    var unused = bosses.shutdownGracefully(200, 2000, TimeUnit.MILLISECONDS);
    var unused2 = workers.shutdownGracefully(200, 2000, TimeUnit.MILLISECONDS);
  }

  private NettyServerBuilder looped(NettyServerBuilder builder) {
    return builder
        .channelType(NettyUtils.getServerChannelClass(bosses))
        .bossEventLoopGroup(bosses)
        .workerEventLoopGroup(workers);
  }
}
