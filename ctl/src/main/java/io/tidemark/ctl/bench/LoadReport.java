package io.tidemark.ctl.bench;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a load measured.
 *
 * @param seconds true length of the measured window
 * @param operations completed without error in the window
 * @param errors failures in the window by text
 * @param notes other counts: conflicts, puts under a watch, what was left over at the end
 * @param clientCpuSeconds processor time this process used in the window
 */
public record LoadReport(
    String load,
    double seconds,
    long operations,
    Latency latency,
    Map<String, Long> errors,
    Map<String, Object> notes,
    double clientCpuSeconds,
    List<Second> series) {

  /** One interval of the series, about a second long. */
  public record Second(double seconds, long operations, long errors, double p99Millis) {}

  /** A note: p99 of puts beside something else, as a multiple of p99 before it. */
  public static final String P99_RATIO = "put_p99_ratio";

  public LoadReport {
    errors = Collections.unmodifiableMap(new TreeMap<>(errors));
    notes = Collections.unmodifiableMap(new TreeMap<>(notes));
    series = List.copyOf(series);
  }

  static LoadReport of(String name, Measurement measurement, Tally tally) {
    return new LoadReport(
        name,
        measurement.seconds(),
        tally.count(),
        tally.latency(),
        tally.errors(),
        new TreeMap<>(tally.notes()),
        measurement.cpuSeconds(),
        tally.series());
  }

  /** The same with other operations than those whose latency was measured. */
  LoadReport withOperations(long others) {
    return new LoadReport(load, seconds, others, latency, errors, notes, clientCpuSeconds, series);
  }

  LoadReport withNote(String name, Object value) {
    Map<String, Object> more = new TreeMap<>(notes);
    more.put(name, value);
    return new LoadReport(
        load, seconds, operations, latency, errors, more, clientCpuSeconds, series);
  }

  LoadReport withErrors(Map<String, Long> others) {
    Map<String, Long> more = new TreeMap<>(errors);
    others.forEach((text, count) -> more.merge(text, count, Long::sum));
    return new LoadReport(
        load, seconds, operations, latency, more, notes, clientCpuSeconds, series);
  }

  public double operationsPerSecond() {
    return operations / seconds;
  }

  public long errorCount() {
    return errors.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The report as nested maps and lists, in a fixed order; see {@link JsonText}. */
  public Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("load", load);
    json.put("seconds", JsonText.rounded(seconds, 3));
    json.put("operations", operations);
    json.put("operations_per_second", JsonText.rounded(operationsPerSecond(), 1));
    json.put("latency_ms", latency.toJson());
    json.put("error_count", errorCount());
    json.put("errors", errors);
    json.put("notes", notes);
    json.put("client_cpu_seconds", JsonText.rounded(clientCpuSeconds, 3));
    json.put("series", series.stream().map(LoadReport::toJson).toList());
    return json;
  }

  private static Map<String, Object> toJson(Second second) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("seconds", JsonText.rounded(second.seconds(), 3));
    json.put("operations", second.operations());
    json.put("errors", second.errors());
    json.put("p99_ms", JsonText.rounded(second.p99Millis(), 3));
    return json;
  }

  /** The report for a reader, several lines. */
  public String toText() {
    StringBuilder text = new StringBuilder(256);
    text.append(
        String.format(
            Locale.ROOT,
            "%s: %.1f op/s (%d in %.2f s), %d errors%n",
            load,
            operationsPerSecond(),
            operations,
            seconds,
            errorCount()));
    text.append(
        String.format(
            Locale.ROOT,
            "ms: mean %.3f  p50 %.3f  p90 %.3f  p99 %.3f  p99.9 %.3f  max %.3f%n",
            latency.mean(),
            latency.p50(),
            latency.p90(),
            latency.p99(),
            latency.p999(),
            latency.max()));
    text.append(String.format(Locale.ROOT, "client: %.2f CPU s%n", clientCpuSeconds));
    errors.forEach(
        (error, count) ->
            text.append("error: ").append(count).append(" x ").append(error).append('\n'));
    notes.forEach(
        (name, value) -> text.append(name).append(": ").append(JsonText.of(value)).append('\n'));
    return text.toString();
  }
}
