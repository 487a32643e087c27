package io.tidemark.server.health;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Whether this member serves, and who wants to hear about it. Any thread. */
public final class Serving {
  @GuardedBy("this")
  private final List<Consumer<Boolean>> listeners = new ArrayList<>();

  @GuardedBy("this")
  private boolean serving;

  public synchronized boolean now() {
    return serving;
  }

  /** Tells all listeners when the state is another one. */
  public void set(boolean value) {
    List<Consumer<Boolean>> told;
    synchronized (this) {
      if (serving == value) {
        return;
      }
      serving = value;
      told = List.copyOf(listeners);
    }
    told.forEach(listener -> listener.accept(value));
  }

  synchronized void listen(Consumer<Boolean> listener) {
    listeners.add(listener);
  }

  synchronized void forget(Consumer<Boolean> listener) {
    listeners.remove(listener);
  }
}
