package io.tidemark.it.history;

/**
 * What one attempt asked for; each touches one key. Values are unique within a history, so that an
 * event names the attempt that caused it.
 */
public sealed interface Action {
  String key();

  <R> R on(Cases<R> cases);

  /** Sets a key, and asks for the previous pair. */
  record Put(String key, String value) implements Action {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.put(this);
    }
  }

  /** Deletes a key, and asks for the previous pair. */
  record Delete(String key) implements Action {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.delete(this);
    }
  }

  /** Sets a key if its mod revision is the expected one (0: it doesn't exist), else reads it. */
  record Swap(String key, long expectedMod, String value) implements Action {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.swap(this);
    }
  }

  /** Reads a key; {@code local}: from the member's own state. */
  record Read(String key, boolean local) implements Action {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.read(this);
    }
  }

  /** One method per kind of action. */
  interface Cases<R> {
    R put(Put put);

    R delete(Delete delete);

    R swap(Swap swap);

    R read(Read read);
  }
}
