package io.tidemark.statemachine.auth;

/**
 * Hears which simple tokens the log gives out and takes back. Thread: apply; must not block.
 *
 * <p>Tokens are no part of the state: each member keeps those that it has heard of, and lets them
 * grow old by its own clock.
 */
public interface TokenListener {
  /** Somebody has logged in. */
  void issued(String token, String user);

  /** No token of this user holds any longer. */
  void dropped(String user);

  /** No token holds any longer. */
  void droppedAll();
}
