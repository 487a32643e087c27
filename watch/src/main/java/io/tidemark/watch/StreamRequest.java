package io.tidemark.watch;

/** What a stream's owner asked for, in the order of asking. */
sealed interface StreamRequest {
  <R> R on(Cases<R> cases);

  /** One method per kind of request. */
  interface Cases<R> {
    R create(Create request);

    R reject(Reject request);

    R cancel(Cancel request);

    R progress(Progress request);
  }

  record Create(WatchSpec spec) implements StreamRequest {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.create(this);
    }
  }

  /** A create request that was refused elsewhere; its answer keeps its place. */
  record Reject(String reason) implements StreamRequest {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.reject(this);
    }
  }

  record Cancel(long watchId) implements StreamRequest {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.cancel(this);
    }
  }

  record Progress() implements StreamRequest {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.progress(this);
    }
  }
}
