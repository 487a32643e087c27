package io.tidemark.ctl.bench;

import java.util.List;

/** What to do to the servers. */
public sealed interface Load {
  /** The name of the subcommand. */
  String name();

  <R> R on(Cases<R> cases);

  /** One method per kind of load. */
  interface Cases<R> {
    R put(Put put);

    R range(Range range);

    R txn(Txn txn);

    R watch(Watch watch);
  }

  private static void requireSome(int count, String what) {
    if (count < 1) {
      throw new IllegalArgumentException("at least one of: " + what);
    }
  }

  /** Puts of random keys, a closed loop per caller. */
  record Put(int callers) implements Load {
    public Put {
      requireSome(callers, "callers");
    }

    @Override
    public String name() {
      return "put";
    }

    @Override
    public <R> R on(Cases<R> cases) {
      return cases.put(this);
    }
  }

  /**
   * Reads from random keys on, a closed loop per caller.
   *
   * @param limit most keys per read; 0 reads the single key
   */
  record Range(int callers, boolean serializable, int limit) implements Load {
    public Range {
      requireSome(callers, "callers");
    }

    @Override
    public String name() {
      return "range";
    }

    @Override
    public <R> R on(Cases<R> cases) {
      return cases.range(this);
    }
  }

  /**
   * Read-modify-write: a read, then a transaction guarded by the revision that was read. Both calls
   * together are one operation; a guard that fails is counted as a conflict.
   */
  record Txn(int callers, boolean serializable) implements Load {
    public Txn {
      requireSome(callers, "callers");
    }

    @Override
    public String name() {
      return "txn";
    }

    @Override
    public <R> R on(Cases<R> cases) {
      return cases.txn(this);
    }
  }

  /**
   * Streams that watch the whole prefix, and writers that put under it. An operation is one event
   * delivered to one stream; its latency runs from the put's call to the event's arrival.
   *
   * @param name name of the report
   * @param watched endpoints that the streams are opened on, in turn
   * @param writers most puts under way at once
   * @param rate puts a second in all; 0 for a closed loop per writer
   */
  record Watch(String name, List<Endpoint> watched, int streams, int writers, int rate)
      implements Load {
    public Watch {
      requireSome(streams, "streams");
      requireSome(writers, "writers");
      watched = List.copyOf(watched);
    }

    @Override
    public <R> R on(Cases<R> cases) {
      return cases.watch(this);
    }
  }
}
