package io.tidemark.ctl.compare;

import io.tidemark.ctl.bench.Endpoint;
import java.util.List;

/** Which members take the calls. */
enum Through {
  LEADER,
  FOLLOWER,
  SPREAD;

  /** The endpoints to call when {@code leader} leads; the follower is the next member. */
  List<Endpoint> choose(List<Endpoint> members, int leader) {
    return switch (this) {
      case LEADER -> List.of(members.get(leader));
      case FOLLOWER -> List.of(members.get((leader + 1) % members.size()));
      case SPREAD -> members;
    };
  }
}
