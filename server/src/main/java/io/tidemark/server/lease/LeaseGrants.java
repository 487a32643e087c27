package io.tidemark.server.lease;

import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.statemachine.Command;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Makes the command of a grant: the id if the client has no wish, and the least time to live. */
public final class LeaseGrants {
  private final long ttlMinSeconds;

  /** The least time to live is one and a half election time-outs, in whole seconds. */
  public LeaseGrants(Duration electionTimeout) {
    this.ttlMinSeconds = (electionTimeout.toMillis() * 3 / 2 + 999) / 1000;
  }

  /** The command for a request of a client. */
  public Command.LeaseGrant command(LeaseGrantRequest request) {
    long id =
        request.getID() != 0
            ? request.getID()
            : ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
    return new Command.LeaseGrant(
        LeaseGrantRequest.newBuilder()
            .setID(id)
            .setTTL(Math.max(ttlMinSeconds, request.getTTL()))
            .build());
  }
}
