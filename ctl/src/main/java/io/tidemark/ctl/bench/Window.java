package io.tidemark.ctl.bench;

/** Told when the measured window opens and closes. Thread: the one that runs the load. */
public interface Window {
  void opened();

  void closed();

  /** Nobody listens. */
  static Window ignored() {
    return new Window() {
      @Override
      public void opened() {}

      @Override
      public void closed() {}
    };
  }
}
