package io.tidemark.it.differential;

import io.tidemark.api.errors.EtcdError;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** The differences that are meant, each a row of docs/compatibility.md. */
enum Allowance {
  /** "Unknown sort order or target": ignored by 3.4, an error since 3.6. */
  UNKNOWN_SORT_ORDER {
    @Override
    boolean covers(Ask ask, Reply etcd, Reply ours) {
      return ask.call() == Call.RANGE && is(ours, EtcdError.INVALID_SORT_OPTION);
    }
  },
  /** "Several refusals in one transaction": the first in execution order, as in 3.7. */
  SEVERAL_REFUSALS {
    private final Set<EtcdError> judgedByState =
        EnumSet.of(
            EtcdError.KEY_NOT_FOUND,
            EtcdError.LEASE_NOT_FOUND,
            EtcdError.COMPACTED,
            EtcdError.FUTURE_REV);

    @Override
    boolean covers(Ask ask, Reply etcd, Reply ours) {
      return ask.call() == Call.TXN && among(judgedByState, etcd) && among(judgedByState, ours);
    }
  };

  abstract boolean covers(Ask ask, Reply etcd, Reply ours);

  /** The allowance that a difference falls under. */
  static Optional<Allowance> of(Ask ask, Reply etcd, Reply ours) {
    for (Allowance allowance : values()) {
      if (allowance.covers(ask, etcd, ours)) {
        return Optional.of(allowance);
      }
    }
    return Optional.empty();
  }

  private static boolean among(Set<EtcdError> errors, Reply reply) {
    return errors.stream().anyMatch(error -> is(reply, error));
  }

  private static boolean is(Reply reply, EtcdError error) {
    return reply.code().value() == error.code() && reply.text().equals(error.message());
  }
}
