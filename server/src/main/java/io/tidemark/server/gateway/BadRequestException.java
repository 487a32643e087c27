package io.tidemark.server.gateway;

/** A request that can't be understood; the text goes to the client. */
final class BadRequestException extends Exception {
  private static final long serialVersionUID = 1;

  BadRequestException(String message) {
    super(message, null, false, false);
  }

  /** What the client is told. */
  String text() {
    return String.valueOf(getMessage());
  }
}
