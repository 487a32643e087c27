package io.tidemark.ctl.compare;

import io.tidemark.ctl.bench.LoadReport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** All runs of one line: the i-th of each contender make a pair. Either list may be empty. */
record RowResult(Row row, List<Outcome> etcd, List<Outcome> tidemark) {
  private static final Map<String, ToDoubleFunction<Outcome>> FIGURES = figures();

  private static final String LINE = "%-36s %15s  %-17s %15s  %-17s %16s  %-17s %11s %11s %9s";

  RowResult {
    etcd = List.copyOf(etcd);
    tidemark = List.copyOf(tidemark);
  }

  private static Map<String, ToDoubleFunction<Outcome>> figures() {
    Map<String, ToDoubleFunction<Outcome>> figures = new LinkedHashMap<>();
    figures.put("operations_per_second", run -> run.report().operationsPerSecond());
    figures.put("p50_ms", run -> run.report().latency().p50());
    figures.put("p99_ms", run -> run.report().latency().p99());
    figures.put("cpu_seconds_per_million", Outcome::cpuSecondsPerMillion);
    figures.put("rss_mebibytes", Outcome::rssMebibytes);
    figures.put("foreign_cores", Outcome::foreignCores);
    return figures;
  }

  /** The ratio Tidemark to etcd, pair by pair. */
  Spread ratio(String figure) {
    return Spread.ofRatios(values(tidemark, figure), values(etcd, figure));
  }

  private static List<Double> values(List<Outcome> runs, String figure) {
    ToDoubleFunction<Outcome> value = FIGURES.getOrDefault(figure, run -> 0);
    return runs.stream().map(value::applyAsDouble).toList();
  }

  private static long errors(List<Outcome> runs) {
    return runs.stream().mapToLong(run -> run.report().errorCount()).sum();
  }

  private static long leaderChanges(List<Outcome> runs) {
    return runs.stream().filter(Outcome::leaderChanged).count();
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("row", row.name());
    json.put("through", row.through().name().toLowerCase(Locale.ROOT));
    for (String figure : FIGURES.keySet()) {
      Map<String, Object> spreads = new LinkedHashMap<>();
      if (!etcd.isEmpty()) {
        spreads.put("etcd", Spread.of(values(etcd, figure)).toJson());
      }
      if (!tidemark.isEmpty()) {
        spreads.put("tidemark", Spread.of(values(tidemark, figure)).toJson());
      }
      if (!etcd.isEmpty() && !tidemark.isEmpty()) {
        spreads.put("ratio", ratio(figure).toJson());
      }
      json.put(figure, spreads);
    }
    json.put("etcd_runs", etcd.stream().map(Outcome::toJson).toList());
    json.put("tidemark_runs", tidemark.stream().map(Outcome::toJson).toList());
    return json;
  }

  static String header() {
    return String.format(
        Locale.ROOT,
        LINE,
        "row (etcd / tidemark, ratio)",
        "op/s",
        "ratio",
        "p50 ms",
        "ratio",
        "p99 ms",
        "ratio",
        "CPU s/Mop",
        "RSS MiB",
        "others");
  }

  /** One line under {@link #header()}; medians, and ratios with their least and greatest. */
  String toText() {
    return String.format(
            Locale.ROOT,
            LINE,
            row.title(),
            both("operations_per_second", 0),
            bothRatio("operations_per_second"),
            both("p50_ms", 2),
            bothRatio("p50_ms"),
            both("p99_ms", 2),
            bothRatio("p99_ms"),
            both("cpu_seconds_per_million", 0),
            both("rss_mebibytes", 0),
            both("foreign_cores", 1))
        + remarks();
  }

  private String both(String figure, int fractionDigits) {
    return median(etcd, figure, fractionDigits) + " / " + median(tidemark, figure, fractionDigits);
  }

  private String bothRatio(String figure) {
    return etcd.isEmpty() || tidemark.isEmpty() ? "-" : ratio(figure).toText();
  }

  private static String median(List<Outcome> runs, String figure, int fractionDigits) {
    return runs.isEmpty()
        ? "-"
        : String.format(
            Locale.ROOT, "%." + fractionDigits + "f", Spread.of(values(runs, figure)).median());
  }

  /** What puts feel of the row's other load; empty where there is none. */
  private static List<Double> putsSlowed(List<Outcome> runs) {
    return runs.stream()
        .map(run -> run.report().notes().get(LoadReport.P99_RATIO))
        .filter(Number.class::isInstance)
        .map(ratio -> ((Number) ratio).doubleValue())
        .toList();
  }

  private static String slowed(List<Outcome> runs) {
    return runs.isEmpty() ? "-" : Spread.of(putsSlowed(runs)).toText();
  }

  private String remarks() {
    StringBuilder remarks = new StringBuilder();
    if (!putsSlowed(etcd).isEmpty() || !putsSlowed(tidemark).isEmpty()) {
      remarks
          .append("  p99 of puts, during / before: ")
          .append(slowed(etcd))
          .append(" / ")
          .append(slowed(tidemark));
    }
    if (errors(etcd) + errors(tidemark) > 0) {
      remarks.append("  errors ").append(errors(etcd)).append('/').append(errors(tidemark));
    }
    if (leaderChanges(etcd) + leaderChanges(tidemark) > 0) {
      remarks
          .append("  leader changes ")
          .append(leaderChanges(etcd))
          .append('/')
          .append(leaderChanges(tidemark));
    }
    return remarks.toString();
  }
}
