package io.tidemark.ctl.bench;

import java.time.Duration;
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

    R leaseKeepAlive(LeaseKeepAlive keepAlive);

    R leaseChurn(LeaseChurn churn);

    R leaseExpire(LeaseExpire expire);

    R backup(Backup backup);
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

  /**
   * Leases with a key each that are kept alive. An operation is a renewal; the answer that a lease
   * is gone is an error.
   *
   * @param interval between two renewals of a lease; zero for as many as the server answers
   */
  record LeaseKeepAlive(int leases, int streams, long ttlSeconds, Duration interval)
      implements Load {
    public LeaseKeepAlive {
      requireSome(streams, "streams");
      if (leases < streams) {
        throw new IllegalArgumentException("every stream needs a lease");
      }
    }

    @Override
    public String name() {
      return "lease-keepalive";
    }

    @Override
    public <R> R on(Cases<R> cases) {
      return cases.leaseKeepAlive(this);
    }
  }

  /**
   * A lease granted, a key put under it, the lease revoked: one operation, a closed loop a caller.
   */
  record LeaseChurn(int callers) implements Load {
    public LeaseChurn {
      requireSome(callers, "callers");
    }

    @Override
    public String name() {
      return "lease-churn";
    }

    @Override
    public <R> R on(Cases<R> cases) {
      return cases.leaseChurn(this);
    }
  }

  /**
   * Leases with a key each that end together, while there are puts. An operation is a lease that
   * ended; the latencies are those of the puts.
   *
   * @param rate puts a second
   */
  record LeaseExpire(int leases, long ttlSeconds, int rate) implements Load {
    public LeaseExpire {
      requireSome(leases, "leases");
      requireSome(rate, "puts a second");
    }

    @Override
    public String name() {
      return "lease-expire";
    }

    @Override
    public <R> R on(Cases<R> cases) {
      return cases.leaseExpire(this);
    }
  }

  /**
   * Backups one after another, while there are puts. An operation is a put, and so are the
   * latencies.
   *
   * @param rate puts a second
   */
  record Backup(int rate) implements Load {
    public Backup {
      requireSome(rate, "puts a second");
    }

    @Override
    public String name() {
      return "backup";
    }

    @Override
    public <R> R on(Cases<R> cases) {
      return cases.backup(this);
    }
  }
}
