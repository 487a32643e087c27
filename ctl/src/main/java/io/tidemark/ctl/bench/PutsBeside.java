package io.tidemark.ctl.bench;

import java.time.Duration;
import java.util.List;

/**
 * Puts at a rate while something else goes on, measured before it too, so that the report tells
 * what they feel of it. Thread: the one that runs the load.
 */
final class PutsBeside {
  private static final String BEFORE = "put_latency_ms_before";
  private static final int WRITERS = 256;

  private final Phases phases;
  private final Window window;
  private final Tally puts = new Tally();
  private final PacedPuts paced;
  private final Latency before;

  private PutsBeside(Connections connections, KeySpace keys, int rate, Phases phases, Window window)
      throws InterruptedException {
    this.phases = phases;
    this.window = window;
    this.paced = new PacedPuts(connections, keys, WRITERS, rate, puts);
    paced.start();
    new Measurement(phases, Window.ignored(), List.of(puts)).run();
    this.before = puts.latency();
  }

  /**
   * Begins to put and measures how long that takes with nothing beside it.
   *
   * @param window of what is measured later
   */
  static PutsBeside begun(
      Connections connections, KeySpace keys, int rate, Phases phases, Window window)
      throws InterruptedException {
    return new PutsBeside(connections, keys, rate, phases, window);
  }

  /** Counts the puts, and failures of what goes on beside them. */
  Tally tally() {
    return puts;
  }

  /** A measurement beside something else that isn't run yet. */
  Measurement during(Duration warmup, Duration measured) {
    return new Measurement(new Phases(warmup, measured, phases.grace()), window, List.of(puts));
  }

  /** What that measurement gave. */
  LoadReport report(String name, Measurement during) {
    LoadReport report = LoadReport.of(name, during, puts);
    double ratio = report.latency().p99() / before.p99();
    return report
        .withNote(BEFORE, before.toJson())
        .withNote(LoadReport.P99_RATIO, JsonText.rounded(ratio, 2));
  }

  /** Puts no more. */
  void stop() throws InterruptedException {
    paced.stop(phases.grace().toNanos());
  }
}
