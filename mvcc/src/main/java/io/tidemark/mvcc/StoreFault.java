package io.tidemark.mvcc;

/**
 * The storage engine failed or its content makes no sense. Nothing that was read since can be
 * trusted: the member must stop.
 */
public final class StoreFault extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StoreFault(String message) {
    super(message);
  }

  public StoreFault(String message, Throwable cause) {
    super(message, cause);
  }
}
