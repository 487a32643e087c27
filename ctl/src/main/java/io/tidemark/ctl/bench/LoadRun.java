package io.tidemark.ctl.bench;

import io.grpc.Status;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.TxnRequest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Runs one load against running servers. Blocks for warm-up, window and grace.
 *
 * <p>Thread: one at a time. Failure: {@link LoadFailure} when the load can't begin; errors of
 * single operations are part of the report.
 */
public final class LoadRun {
  static final String UNFINISHED = "unfinished";
  static final String PUTS_PER_SECOND = "puts_per_second";
  static final String PUT_LATENCY = "put_latency_ms";
  static final String UNDELIVERED = "events_undelivered";

  private static final int FILL_TXN_PUTS = 100;
  private static final int FILL_TXNS_UNDER_WAY = 4;
  private static final Duration FILL_DEADLINE = Duration.ofSeconds(20);
  private static final long CREATE_TIMEOUT_NANOS = 30_000_000_000L;

  private final Target target;
  private final KeySpace keys;
  private final Phases phases;
  private final Window window;

  public LoadRun(Target target, KeySpace keys, Phases phases, Window window) {
    this.target = target;
    this.keys = keys;
    this.phases = phases;
    this.window = window;
  }

  public LoadReport run(Load load) throws InterruptedException {
    Tally tally = new Tally();
    return load.on(
            new Load.Cases<Attempt>() {
              @Override
              public Attempt put(Load.Put put) {
                return () ->
                    loop(load, put.callers(), tally, i -> new Operations.Put(keys, keys.random(i)));
              }

              @Override
              public Attempt range(Load.Range range) {
                return () ->
                    loop(
                        load,
                        range.callers(),
                        tally,
                        i -> new Operations.Range(keys, keys.random(i), range));
              }

              @Override
              public Attempt txn(Load.Txn txn) {
                return () ->
                    loop(
                        load,
                        txn.callers(),
                        tally,
                        i -> new Operations.Txn(keys, keys.random(i), txn.serializable(), tally));
              }

              @Override
              public Attempt watch(Load.Watch watch) {
                return () -> watching(watch, tally);
              }

              @Override
              public Attempt leaseKeepAlive(Load.LeaseKeepAlive keepAlive) {
                return () -> leases().keepAlive(keepAlive);
              }

              @Override
              public Attempt leaseChurn(Load.LeaseChurn churn) {
                return () ->
                    loop(
                        load,
                        churn.callers(),
                        tally,
                        i -> new Operations.LeaseChurn(keys, keys.random(i)));
              }

              @Override
              public Attempt leaseExpire(Load.LeaseExpire expire) {
                return () -> leases().expire(expire);
              }

              @Override
              public Attempt backup(Load.Backup backup) {
                return () -> new BackupLoad(target, keys, phases, window).run(backup);
              }
            })
        .run();
  }

  private LeaseLoads leases() {
    return new LeaseLoads(target, keys, phases, window);
  }

  private interface Attempt {
    LoadReport run() throws InterruptedException;
  }

  /** Puts every key of the key space once, so that reads find something. */
  public void fill() throws InterruptedException {
    try (Connections connections = new Connections(target)) {
      SplittableRandom random = keys.random(-1);
      Queue<Future<?>> underWay = new ArrayDeque<>(FILL_TXNS_UNDER_WAY);
      for (int from = 0; from < keys.size(); from += FILL_TXN_PUTS) {
        TxnRequest.Builder txn = TxnRequest.newBuilder();
        for (int i = from; i < Math.min(from + FILL_TXN_PUTS, keys.size()); i++) {
          txn.addSuccess(
              RequestOp.newBuilder()
                  .setRequestPut(
                      PutRequest.newBuilder()
                          .setKey(keys.key(i))
                          .setValue(keys.randomValue(random))));
        }
        if (underWay.size() == FILL_TXNS_UNDER_WAY) {
          underWay.remove().get();
        }
        underWay.add(
            KVGrpc.newFutureStub(connections.channel(0, from))
                .withDeadlineAfter(FILL_DEADLINE)
                .txn(txn.build()));
      }
      for (Future<?> txn : underWay) {
        txn.get();
      }
    } catch (ExecutionException e) {
      Status status = Status.fromThrowable(e);
      throw new LoadFailure("filling the key space: " + ClosedLoop.textOf(status), e);
    }
  }

  private LoadReport loop(Load load, int callers, Tally tally, IntFunction<Operation> operation)
      throws InterruptedException {
    try (Connections connections = new Connections(target)) {
      List<Operation> operations = IntStream.range(0, callers).mapToObj(operation).toList();
      ClosedLoop loop = new ClosedLoop(connections, tally, operations);
      Measurement measurement = new Measurement(phases, window, List.of(tally));
      loop.start();
      measurement.run();
      LoadReport report = LoadReport.of(load.name(), measurement, tally);
      long unfinished = loop.stop(phases.grace().toNanos());
      return unfinished == 0 ? report : report.withNote(UNFINISHED, unfinished);
    }
  }

  private LoadReport watching(Load.Watch watch, Tally events) throws InterruptedException {
    Target watched = new Target(watch.watched(), target.connections(), target.loops());
    try (Connections readers = new Connections(watched);
        Connections writers = new Connections(target)) {
      Tally puts = new Tally();
      WatchStreams streams = new WatchStreams(events, watch.streams());
      streams.open(readers, keys, watch.streams(), CREATE_TIMEOUT_NANOS);
      PacedPuts paced = new PacedPuts(writers, keys, watch.writers(), watch.rate(), puts);
      Measurement measurement = new Measurement(phases, window, List.of(events, puts));
      paced.start();
      measurement.run();
      LoadReport report = LoadReport.of(watch.name(), measurement, events);
      Map<String, Long> putErrors = puts.errors();
      report =
          report
              .withNote(PUTS_PER_SECOND, JsonText.rounded(puts.count() / measurement.seconds(), 1))
              .withNote(PUT_LATENCY, puts.latency().toJson());
      for (Map.Entry<String, Long> note : puts.notes().entrySet()) {
        report = report.withNote(note.getKey(), note.getValue());
      }
      long unfinished = paced.stop(phases.grace().toNanos());
      long missing =
          streams.awaitDelivered(paced.acknowledged() * watch.streams(), phases.grace().toNanos());
      return report
          .withErrors(putErrors)
          .withNote(UNFINISHED, unfinished)
          .withNote(UNDELIVERED, missing);
    }
  }
}
