package io.tidemark.ctl.compare;

import io.tidemark.ctl.bench.Endpoint;
import io.tidemark.ctl.bench.Load;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;

/** One line of the comparison: a load, and which members it goes through. */
record Row(String name, Through through, BiFunction<List<Endpoint>, Integer, Load> load) {
  private static final int MANY = 256;
  private static final int FANOUT_STREAMS = 1_000;
  private static final int FANOUT_WRITERS = 4;
  private static final int LEASES = 50_000;
  private static final int KEEP_ALIVE_STREAMS = 16;
  private static final long LEASE_SECONDS = 60;

  /** The load when {@code leader} leads the cluster of {@code members}. */
  Load on(List<Endpoint> members, int leader) {
    return load.apply(members, leader);
  }

  String title() {
    return name + " via " + through.name().toLowerCase(Locale.ROOT);
  }

  /**
   * All lines in the order of the report.
   *
   * @param rate puts a second where latency of events is measured
   */
  static List<Row> all(Through through, int rate) {
    return List.of(
        plain("put-1", through, new Load.Put(1)),
        plain("put-256", through, new Load.Put(MANY)),
        plain("range-lin-1", through, new Load.Range(1, false, 0)),
        plain("range-lin-256", through, new Load.Range(MANY, false, 0)),
        plain("range-ser-256", through, new Load.Range(MANY, true, 0)),
        plain("txn-256", through, new Load.Txn(MANY, false)),
        watch("watch-latency-leader", through, Through.LEADER, 1, MANY, rate),
        watch("watch-latency-follower", through, Through.FOLLOWER, 1, MANY, rate),
        watch("watch-fanout", through, Through.SPREAD, FANOUT_STREAMS, FANOUT_WRITERS, 0),
        plain("lease-churn-256", through, new Load.LeaseChurn(MANY)),
        plain("lease-keepalive", through, keepAlive(Duration.ZERO)),
        plain("lease-expire", through, new Load.LeaseExpire(LEASES, LEASE_SECONDS, rate)),
        plain("backup", through, new Load.Backup(rate)));
  }

  private static Load keepAlive(Duration interval) {
    return new Load.LeaseKeepAlive(LEASES, KEEP_ALIVE_STREAMS, LEASE_SECONDS, interval);
  }

  private static Row plain(String name, Through through, Load load) {
    return new Row(name, through, (members, leader) -> load);
  }

  private static Row watch(
      String name, Through through, Through watched, int streams, int writers, int rate) {
    return new Row(
        name,
        through,
        (members, leader) ->
            new Load.Watch(name, watched.choose(members, leader), streams, writers, rate));
  }
}
