package io.tidemark.server.auth;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.server.access.Identity;
import io.tidemark.statemachine.auth.AuthState;
import io.tidemark.statemachine.auth.Caller;
import io.tidemark.statemachine.auth.TokenListener;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The simple tokens that this member has heard of: random letters, a dot, and the index of the log
 * entry that issued them. A token ends when it wasn't used for its time to live, with its user's
 * deletion or change of password, and when authentication is disabled.
 *
 * <p>Kept under their digests: what a look-up takes tells nothing about a token, and memory holds
 * none. Bound: {@value #TOKENS_MAX} tokens; when full, old ones go and then any. Thread-safe.
 */
final class SimpleTokens implements Tokens, TokenListener {
  private static final int TOKENS_MAX = 200_000;
  private static final int SWEEP_EVERY = 256;

  private final long ttlNanos;
  private final LongSupplier clockNanos;
  private final LongSupplier appliedIndex;
  private final ConcurrentHashMap<ByteString, Session> sessions = new ConcurrentHashMap<>();

  /** Thread: apply. */
  private int issuedSinceSweep;

  private static final class Session {
    final String user;
    volatile long usedNanos;

    Session(String user, long usedNanos) {
      this.user = user;
      this.usedNanos = usedNanos;
    }
  }

  /**
   * @param clockNanos as {@link System#nanoTime}
   * @param appliedIndex up to which this member has applied the log
   */
  SimpleTokens(Duration ttl, LongSupplier clockNanos, LongSupplier appliedIndex) {
    this.ttlNanos = ttl.toNanos();
    this.clockNanos = clockNanos;
    this.appliedIndex = appliedIndex;
  }

  @Override
  public Identity of(String token, AuthState state) {
    ByteString digest = digest(token);
    Session session = sessions.get(digest);
    if (session == null) {
      return Identity.refused(EtcdError.INVALID_AUTH_TOKEN);
    }
    long now = clockNanos.getAsLong();
    if (now - session.usedNanos >= ttlNanos) {
      sessions.remove(digest, session);
      return Identity.refused(EtcdError.INVALID_AUTH_TOKEN);
    }
    session.usedNanos = now;
    return Identity.of(new Caller(session.user, state.revision()));
  }

  @Override
  public boolean isAhead(String token) {
    int dot = token.indexOf('.');
    if (dot < 0 || sessions.containsKey(digest(token))) {
      return false;
    }
    try {
      return Long.parseLong(token.substring(dot + 1)) > appliedIndex.getAsLong();
    } catch (NumberFormatException noToken) {
      return false;
    }
  }

  @Override
  public void issued(String token, String user) {
    issuedSinceSweep++;
    if (issuedSinceSweep >= SWEEP_EVERY || sessions.size() >= TOKENS_MAX) {
      sweep();
    }
    sessions.put(digest(token), new Session(user, clockNanos.getAsLong()));
  }

  @Override
  public void dropped(String user) {
    sessions.values().removeIf(session -> session.user.equals(user));
  }

  @Override
  public void droppedAll() {
    sessions.clear();
  }

  /** For tests. */
  int size() {
    return sessions.size();
  }

  private void sweep() {
    issuedSinceSweep = 0;
    long now = clockNanos.getAsLong();
    sessions.values().removeIf(session -> now - session.usedNanos >= ttlNanos);
    Iterator<ByteString> any = sessions.keySet().iterator();
    while (sessions.size() >= TOKENS_MAX && any.hasNext()) {
      any.next();
      any.remove();
    }
  }

  private static ByteString digest(String token) {
    try {
      return UnsafeByteOperations.unsafeWrap(
          MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
