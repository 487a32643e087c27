package io.tidemark.statemachine.auth;

import io.tidemark.mvcc.ReadView;
import java.util.List;
import java.util.function.Consumer;

/**
 * What this member knows of users and roles, for any thread.
 *
 * <p>A new state shows up here just before the entry that made it becomes readable. So when a state
 * is here before and after a view of the data is taken, and the view isn't older than {@link
 * AuthState#index}, then the two belong together.
 */
public final class Authority {
  private volatile AuthState state = AuthState.INITIAL;
  private volatile TokenListener listener = new Deaf();

  /** The newest state. */
  public AuthState state() {
    return state;
  }

  /** Tells one listener from now on; what was issued before is not told again. */
  public void listen(TokenListener tokens) {
    listener = tokens;
  }

  /** Takes over what a store holds, which may be another one than before. Thread: apply. */
  public void load(ReadView view) {
    state = AuthRows.load(view);
    listener.droppedAll();
  }

  /** Thread: apply. */
  public void publish(AuthState changed, List<Consumer<TokenListener>> tokens) {
    state = changed;
    tokens.forEach(token -> token.accept(listener));
  }

  private static final class Deaf implements TokenListener {
    @Override
    public void issued(String token, String user) {}

    @Override
    public void dropped(String user) {}

    @Override
    public void droppedAll() {}
  }
}
