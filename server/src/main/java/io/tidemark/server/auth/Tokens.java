package io.tidemark.server.auth;

import io.tidemark.server.access.Identity;
import io.tidemark.statemachine.auth.AuthState;

/** Recognises tokens of one kind. Any thread; never blocks. */
interface Tokens {
  /** Whom the token stands for, or why it stands for nobody. */
  Identity of(String token, AuthState state);

  /** Whether the token may come from a login that this member has not applied yet. */
  boolean isAhead(String token);
}
