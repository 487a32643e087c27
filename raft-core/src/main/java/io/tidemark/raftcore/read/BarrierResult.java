package io.tidemark.raftcore.read;

import io.tidemark.api.errors.EtcdError;

/** What became of a read barrier. */
public sealed interface BarrierResult {
  /** One method per kind. */
  interface Cases<R> {
    R passed(Passed passed);

    R failed(Failed failed);
  }

  /** Calls the method for this kind. */
  <R> R on(Cases<R> cases);

  /** The store now shows everything that was committed when the barrier was asked for. */
  record Passed(long index) implements BarrierResult {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.passed(this);
    }
  }

  /** No leader confirmed an index, or this member didn't catch up, in time. */
  record Failed(EtcdError error) implements BarrierResult {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.failed(this);
    }
  }
}
