package io.tidemark.raftcore.lease;

import io.tidemark.api.errors.EtcdError;

/** What became of a request to renew a lease. */
public sealed interface KeepAliveResult {
  /** One method per kind. */
  interface Cases<R> {
    R renewed(Renewed renewed);

    R failed(Failed failed);
  }

  /** Calls the method for this kind. */
  <R> R on(Cases<R> cases);

  /**
   * The log holds the renewal.
   *
   * @param ttlSeconds the granted time to live, from a moment after the request came; 0 if there is
   *     no such lease
   */
  record Renewed(long ttlSeconds) implements KeepAliveResult {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.renewed(this);
    }
  }

  /** It isn't known to be renewed. */
  record Failed(EtcdError error) implements KeepAliveResult {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.failed(this);
    }
  }
}
