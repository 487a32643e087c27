package io.tidemark.server;

import io.tidemark.clusterconfig.HostPort;
import io.tidemark.raftcore.FaultHandler;
import io.tidemark.raftcore.settings.PeerRoutes;
import io.tidemark.raftcore.settings.Surroundings;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a member is lent by the JVM that it runs in, beside its configuration. Immutable.
 *
 * @param faults told once when the member can't go on, or was removed; it must then be closed
 * @param leaseNanos the pace of the lease clock, as {@link System#nanoTime}: never goes back
 * @param peerRoutes where to dial when a peer URL has that address; must not block
 */
public record Embedding(
    FaultHandler faults, LongSupplier leaseNanos, UnaryOperator<HostPort> peerRoutes) {
  private static final Logger LOG = LoggerFactory.getLogger(Embedding.class);

  /** Real time, real addresses, and faults in the log. */
  public static Embedding plain() {
    PeerRoutes routes = PeerRoutes.ofProperty();
    return new Embedding(
        (member, what, cause) -> LOG.error("member {} can't go on: {}", member, what, cause),
        System::nanoTime,
        routes::dialed);
  }

  /** The same with somebody else to tell of faults. */
  public Embedding withFaults(FaultHandler handler) {
    return new Embedding(handler, leaseNanos, peerRoutes);
  }

  /** The same with another pace of the lease clock. */
  public Embedding withLeaseTime(LongSupplier nanos) {
    return new Embedding(faults, nanos, peerRoutes);
  }

  /** The same with other ways to the peers. */
  public Embedding withPeerRoutes(UnaryOperator<HostPort> routes) {
    return new Embedding(faults, leaseNanos, routes);
  }

  Surroundings surroundings() {
    return new Surroundings(leaseNanos, peerRoutes::apply);
  }
}
