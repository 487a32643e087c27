package io.tidemark.ctl.bench;

import java.util.LinkedHashMap;
import java.util.Map;

/** Percentiles of a measured window, in milliseconds; all 0 when nothing completed. */
public record Latency(double mean, double p50, double p90, double p99, double p999, double max) {

  /** In the order and with the names of the JSON report. */
  public Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("mean", JsonText.rounded(mean, 3));
    json.put("p50", JsonText.rounded(p50, 3));
    json.put("p90", JsonText.rounded(p90, 3));
    json.put("p99", JsonText.rounded(p99, 3));
    json.put("p99_9", JsonText.rounded(p999, 3));
    json.put("max", JsonText.rounded(max, 3));
    return json;
  }
}
