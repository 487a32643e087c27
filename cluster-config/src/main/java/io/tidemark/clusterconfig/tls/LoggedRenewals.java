package io.tidemark.clusterconfig.tls;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the log what becomes of a port's certificates.
 *
 * @param port whose they are, such as {@code peer port}
 */
public record LoggedRenewals(String port) implements LiveCertificates.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(LoggedRenewals.class);

  @Override
  public void renewed() {
    LOG.info("certificates of the {} loaded again", port);
  }

  @Override
  public void kept(String why) {
    LOG.warn("certificates of the {} stay as they were: {}", port, why);
  }
}
