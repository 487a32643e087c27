package io.tidemark.watch;

/** What a stream's owner asked for, in the order of asking. */
sealed interface StreamRequest {
  void on(Cases cases);

  /** One method per kind of request. */
  interface Cases {
    void create(Create request);

    void reject(Reject request);

    void cancel(Cancel request);

    void progress(Progress request);
  }

  record Create(WatchSpec spec) implements StreamRequest {
    @Override
    public void on(Cases cases) {
      cases.create(this);
    }
  }

  /** A create request that was refused elsewhere; its answer keeps its place. */
  record Reject(String reason) implements StreamRequest {
    @Override
    public void on(Cases cases) {
      cases.reject(this);
    }
  }

  record Cancel(long watchId) implements StreamRequest {
    @Override
    public void on(Cases cases) {
      cases.cancel(this);
    }
  }

  record Progress() implements StreamRequest {
    @Override
    public void on(Cases cases) {
      cases.progress(this);
    }
  }
}
