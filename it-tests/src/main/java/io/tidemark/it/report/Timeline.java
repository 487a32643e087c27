package io.tidemark.it.report;

import io.tidemark.it.history.Operation;
import io.tidemark.it.history.Outcome;
import io.tidemark.it.tape.Tape;
import io.tidemark.it.verdict.Recording;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A recording by slices of time. Slices are numbered from 0; values of slices in which nothing
 * happened are 0.
 */
final class Timeline {
  /** Slices of at least half a second, and at most so many. */
  private static final int SLICES_MAX = 600;

  private static final long SLICE_MIN_NANOS = 500_000_000;

  private final Recording recording;
  private final long sliceNanos;
  private final int slices;

  Timeline(Recording recording) {
    this.recording = recording;
    long length = Math.max(1, recording.endedNanos() - recording.beganNanos());
    this.sliceNanos = Math.max(SLICE_MIN_NANOS, length / SLICES_MAX);
    this.slices = (int) (length / sliceNanos) + 1;
  }

  int slices() {
    return slices;
  }

  double sliceSeconds() {
    return sliceNanos / 1e9;
  }

  /** The slice of a moment, within bounds. */
  int slice(long nanos) {
    long at = (nanos - recording.beganNanos()) / sliceNanos;
    return (int) Math.max(0, Math.min(slices - 1, at));
  }

  /** A moment as a share of the whole, from 0 to 1. */
  double share(long nanos) {
    double share = (double) (nanos - recording.beganNanos()) / (slices * sliceNanos);
    return Math.max(0, Math.min(1, share));
  }

  /** Attempts per second that ended in the given way. */
  double[] rate(Kind kind) {
    double[] rate = new double[slices];
    for (Operation operation : recording.operations()) {
      if (Kind.of(operation.outcome()) == kind) {
        rate[slice(operation.endedNanos())] += 1 / sliceSeconds();
      }
    }
    return rate;
  }

  /** How attempts end. */
  enum Kind {
    CHANGED,
    READ,
    UNKNOWN,
    REJECTED;

    static Kind of(Outcome outcome) {
      return outcome.on(
          new Outcome.Cases<>() {
            @Override
            public Kind done(Outcome.Done done) {
              return done.changed() ? CHANGED : READ;
            }

            @Override
            public Kind rejected(Outcome.Rejected rejected) {
              return REJECTED;
            }

            @Override
            public Kind unknown(Outcome.Unknown unknown) {
              return UNKNOWN;
            }
          });
    }
  }

  /** Milliseconds that this share of the attempts of each slice took at most. */
  double[] latency(double share) {
    List<List<Double>> all = new ArrayList<>();
    for (int i = 0; i < slices; i++) {
      all.add(new ArrayList<>());
    }
    for (Operation operation : recording.operations()) {
      all.get(slice(operation.endedNanos()))
          .add((operation.endedNanos() - operation.beganNanos()) / 1e6);
    }
    double[] latency = new double[slices];
    for (int i = 0; i < slices; i++) {
      double[] sorted = all.get(i).stream().mapToDouble(Double::doubleValue).sorted().toArray();
      latency[i] = sorted.length == 0 ? 0 : sorted[(int) (share * (sorted.length - 1))];
    }
    return latency;
  }

  /**
   * Milliseconds from the acknowledgement of a change until a member told of it, worst by slice.
   */
  double[] watchLag(int member) {
    Map<Long, Long> acknowledged = new HashMap<>();
    for (Operation operation : recording.operations()) {
      operation
          .outcome()
          .done()
          .filter(Outcome.Done::changed)
          .ifPresent(done -> acknowledged.put(done.revision(), operation.endedNanos()));
    }
    double[] lag = new double[slices];
    for (Tape tape : recording.tapes()) {
      if (tape.member() == member && tape.purpose() == Tape.Purpose.ACCOUNT) {
        for (Tape.Arrival arrival : tape.arrivals()) {
          int slice = slice(arrival.nanos());
          arrival.response().getEventsList().stream()
              .map(event -> acknowledged.get(event.getKv().getModRevision()))
              .filter(at -> at != null)
              .mapToDouble(at -> (arrival.nanos() - at) / 1e6)
              .forEach(millis -> lag[slice] = Math.max(lag[slice], millis));
        }
      }
    }
    return lag;
  }

  static double max(double[]... series) {
    return Arrays.stream(series).flatMapToDouble(Arrays::stream).max().orElse(0);
  }
}
