package io.tidemark.examples;

import io.etcd.jetcd.Client;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Configuration that is read while it changes: always a whole state of one revision, never half of a
 * transaction. Thread-safe; listeners run on the client's thread and must not block.
 */
public final class LiveSettings implements AutoCloseable {
  private final CopyOnWriteArrayList<Consumer<Map<String, String>>> listeners =
      new CopyOnWriteArrayList<>();
  private final ListWatchCache cache;

  /** The settings below a prefix, which is read when this returns. */
  public LiveSettings(Client client, String prefix) {
    this.cache = new ListWatchCache(client, prefix, this::changed);
  }

  /** All settings, keys with their prefix. */
  public Map<String, String> all() {
    return cache.contents();
  }

  /** Tells of the present settings, and of all later ones. */
  public void listen(Consumer<Map<String, String>> listener) {
    listeners.add(listener);
    listener.accept(all());
  }

  private void changed() {
    if (!listeners.isEmpty()) {
      Map<String, String> now = all();
      listeners.forEach(listener -> listener.accept(now));
    }
  }

  @Override
  public void close() {
    cache.close();
  }
}
