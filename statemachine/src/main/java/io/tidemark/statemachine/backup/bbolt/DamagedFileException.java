package io.tidemark.statemachine.backup.bbolt;

import java.io.IOException;

/** A file isn't what it claims to be: cut short, altered, or something else altogether. */
public final class DamagedFileException extends IOException {
  private static final long serialVersionUID = 1L;

  /** The message is for the user. */
  public DamagedFileException(String message) {
    super(message);
  }
}
