package io.tidemark.statemachine;

/**
 * An entry of the log that this version cannot read: damaged, or written by a newer version.
 *
 * <p>A fault, not a rejection: a member that cannot read an entry cannot know what the others did
 * with it, so it must stop.
 */
public final class EntryFormatException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  EntryFormatException(String message) {
    super(message);
  }

  EntryFormatException(String message, Throwable cause) {
    super(message, cause);
  }
}
