package io.tidemark.ctl.bench;

/** A load could not be set up: the servers refused or did not answer before it began. */
public final class LoadFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LoadFailure(String message) {
    super(message);
  }

  public LoadFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
