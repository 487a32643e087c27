package io.tidemark.raftcore.settings;

import java.util.function.LongSupplier;

/**
 * What a member takes from the process around it rather than from its configuration.
 *
 * @param leaseNanos the pace of the lease clock, as {@link System#nanoTime}: never goes back
 * @param routes where to dial peers
 */
public record Surroundings(LongSupplier leaseNanos, PeerRoutes routes) {
  /** Those of a process of its own. */
  public static Surroundings ofProcess() {
    return new Surroundings(System::nanoTime, PeerRoutes.ofProperty());
  }
}
