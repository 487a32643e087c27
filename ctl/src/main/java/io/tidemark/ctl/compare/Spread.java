package io.tidemark.ctl.compare;

import io.tidemark.ctl.bench.JsonText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Median, least and greatest of a few figures. All 0 when there is none. */
record Spread(double median, double least, double greatest) {
  /** The median of an even number of figures is the mean of the two in the middle. */
  static Spread of(List<Double> figures) {
    if (figures.isEmpty()) {
      return new Spread(0, 0, 0);
    }
    List<Double> sorted = figures.stream().sorted().toList();
    int half = sorted.size() / 2;
    double median =
        sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
    return new Spread(median, sorted.get(0), sorted.get(sorted.size() - 1));
  }

  /**
   * The spread of {@code ours.get(i) / theirs.get(i)}; a pair with nothing to divide by is left
   * out, and so is a figure without a partner.
   */
  static Spread ofRatios(List<Double> ours, List<Double> theirs) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < Math.min(ours.size(), theirs.size()); i++) {
      if (theirs.get(i) > 0) {
        ratios.add(ours.get(i) / theirs.get(i));
      }
    }
    return of(ratios);
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("median", JsonText.rounded(median, 4));
    json.put("min", JsonText.rounded(least, 4));
    json.put("max", JsonText.rounded(greatest, 4));
    return json;
  }

  /** For the table: median and, in brackets, both ends. */
  String toText() {
    return String.format(Locale.ROOT, "%.2f (%.2f-%.2f)", median, least, greatest);
  }
}
