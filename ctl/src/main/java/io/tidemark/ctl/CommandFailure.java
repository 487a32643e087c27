package io.tidemark.ctl;

/** Ends a command with a message for the user and an exit code. */
final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The server refused, or could not do it. */
  static final int ERROR = 1;

  static final int BAD_CONNECTION = 2;
  static final int INVALID_INPUT = 3;
  static final int BAD_FEATURE = 4;
  static final int INTERRUPTED = 5;
  static final int BAD_ARGUMENTS = 128;

  private final int exitCode;

  CommandFailure(int exitCode, String message) {
    super(message, null, false, false);
    this.exitCode = exitCode;
  }

  static CommandFailure badArguments(String message) {
    return new CommandFailure(BAD_ARGUMENTS, message);
  }

  int exitCode() {
    return exitCode;
  }
}
