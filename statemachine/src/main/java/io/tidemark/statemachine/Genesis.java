package io.tidemark.statemachine;

import io.tidemark.api.etcdserverpb.Member;
import java.util.List;

/**
 * What the founders of a cluster agree on before their first entry: it is in the store from the
 * first position on, and the same on every founder.
 *
 * @param clusterId the cluster's id, unsigned
 * @param founders the first members, each with id and peer URLs; the order does not matter
 */
public record Genesis(long clusterId, List<Member> founders) {
  public Genesis {
    founders = List.copyOf(founders);
  }
}
