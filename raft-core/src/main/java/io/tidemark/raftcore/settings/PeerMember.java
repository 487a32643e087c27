package io.tidemark.raftcore.settings;

import java.net.URI;
import java.util.List;

/**
 * A founder of the cluster as the configuration names it.
 *
 * @param id member id, as computed from the peer URLs and the cluster token
 * @param name the name given in the configuration
 * @param peerUrls where its peer port listens, at least one
 */
public record PeerMember(long id, String name, List<URI> peerUrls) {
  public PeerMember {
    peerUrls = List.copyOf(peerUrls);
    if (peerUrls.isEmpty()) {
      throw new IllegalArgumentException("member " + name + " has no peer URL");
    }
  }
}
