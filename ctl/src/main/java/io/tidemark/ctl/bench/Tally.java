package io.tidemark.ctl.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * What completed in the measured window.
 *
 * <p>Thread: {@link #done}, {@link #failed} and {@link #note} from any thread; the rest from the
 * thread that runs the load.
 */
final class Tally {
  /** Longer times are recorded as this. */
  static final long NANOS_MAX = 120_000_000_000L;

  private static final long NANOS_MIN = 1_000;
  private static final int DIGITS = 3;
  private static final int TEXTS_MAX = 64;

  private final Recorder recorder = new Recorder(NANOS_MIN, NANOS_MAX, DIGITS);
  private final Histogram total = new Histogram(NANOS_MIN, NANOS_MAX, DIGITS);
  private final Map<String, LongAdder> errors = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> notes = new ConcurrentHashMap<>();
  private final List<LoadReport.Second> series = new ArrayList<>();
  private long errorsSampled;

  void done(long nanos) {
    recorder.recordValue(Math.min(Math.max(nanos, 0), NANOS_MAX));
  }

  void failed(String text) {
    add(errors, text);
  }

  /** Counts something that is neither a success nor an error. */
  void note(String name) {
    add(notes, name);
  }

  private static void add(Map<String, LongAdder> counters, String text) {
    LongAdder counter = counters.get(text);
    if (counter == null) {
      String bounded = counters.size() < TEXTS_MAX ? text : "other";
      counter = counters.computeIfAbsent(bounded, unused -> new LongAdder());
    }
    counter.increment();
  }

  /** Forgets everything so far: the end of the warm-up. */
  void discard() {
    recorder.getIntervalHistogram();
    total.reset();
    errors.clear();
    notes.clear();
    series.clear();
    errorsSampled = 0;
  }

  /** Closes one interval of the series, {@code seconds} long. */
  void sample(double seconds) {
    Histogram interval = recorder.getIntervalHistogram();
    total.add(interval);
    long failures = sum(errors);
    series.add(
        new LoadReport.Second(
            seconds,
            interval.getTotalCount(),
            failures - errorsSampled,
            millis(interval.getValueAtPercentile(99))));
    errorsSampled = failures;
  }

  long count() {
    return total.getTotalCount();
  }

  Latency latency() {
    if (total.getTotalCount() == 0) {
      return new Latency(0, 0, 0, 0, 0, 0);
    }
    return new Latency(
        total.getMean() / 1e6,
        millis(total.getValueAtPercentile(50)),
        millis(total.getValueAtPercentile(90)),
        millis(total.getValueAtPercentile(99)),
        millis(total.getValueAtPercentile(99.9)),
        millis(total.getMaxValue()));
  }

  List<LoadReport.Second> series() {
    return List.copyOf(series);
  }

  Map<String, Long> errors() {
    return copy(errors);
  }

  Map<String, Long> notes() {
    return copy(notes);
  }

  private static double millis(long nanos) {
    return nanos / 1e6;
  }

  private static long sum(Map<String, LongAdder> counters) {
    return counters.values().stream().mapToLong(LongAdder::sum).sum();
  }

  private static Map<String, Long> copy(Map<String, LongAdder> counters) {
    Map<String, Long> copy = new TreeMap<>();
    counters.forEach((text, counter) -> copy.put(text, counter.sum()));
    return copy;
  }
}
