package io.tidemark.statemachine.backup;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The digest that ends a snapshot file. */
final class Digests {
  /** Length of the tail. */
  static final int BYTES = 32;

  private Digests() {}

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
