package io.tidemark.ctl.compare;

import io.tidemark.ctl.bench.JsonText;
import io.tidemark.ctl.bench.LoadReport;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One measured run of one contender.
 *
 * @param serverCpuSeconds processor time of all members in the window
 * @param serverRssBytes resident memory of all members when the window closed
 * @param otherCpuSeconds processor time of the waiting contender's members in the window
 * @param foreignCpuSeconds processor time of everybody else on the machine in the window: what
 *     makes a run doubtful
 * @param leaderChanged somebody else led after the run
 */
record Outcome(
    LoadReport report,
    double serverCpuSeconds,
    long serverRssBytes,
    double otherCpuSeconds,
    double foreignCpuSeconds,
    boolean leaderChanged) {

  double cpuSecondsPerMillion() {
    return report.operations() == 0 ? 0 : serverCpuSeconds * 1e6 / report.operations();
  }

  /** How many cores everybody else kept busy. */
  double foreignCores() {
    return foreignCpuSeconds / report.seconds();
  }

  double rssMebibytes() {
    return serverRssBytes / 1048576.0;
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>(report.toJson());
    json.put("server_cpu_seconds", JsonText.rounded(serverCpuSeconds, 2));
    json.put("server_cpu_seconds_per_million", JsonText.rounded(cpuSecondsPerMillion(), 2));
    json.put("server_rss_bytes", serverRssBytes);
    json.put("other_cpu_seconds", JsonText.rounded(otherCpuSeconds, 2));
    json.put("foreign_cpu_seconds", JsonText.rounded(foreignCpuSeconds, 2));
    json.put("leader_changed", leaderChanged);
    return json;
  }
}
