package io.tidemark.clusterconfig;

import java.net.URI;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How the cluster comes into being.
 *
 * @param initialCluster member name to peer URLs, in the order given
 * @param state whether the founders start a cluster or this member joins one
 * @param token keeps clusters with equal URLs apart; part of every member id
 * @param strictReconfigCheck refuse membership changes that would lose the quorum
 * @param autoPromoteLearners give learners their vote once they have caught up
 * @param forceNewCluster start over as a cluster of one, keeping the data
 */
public record Bootstrap(
    Map<String, List<URI>> initialCluster,
    ClusterState state,
    String token,
    boolean strictReconfigCheck,
    boolean autoPromoteLearners,
    boolean forceNewCluster) {
  public Bootstrap {
    Map<String, List<URI>> copy = new LinkedHashMap<>();
    initialCluster.forEach((name, urls) -> copy.put(name, List.copyOf(urls)));
    initialCluster = Collections.unmodifiableMap(copy);
  }

  /** The two values of {@code --initial-cluster-state}. */
  public enum ClusterState {
    NEW,
    EXISTING
  }
}
