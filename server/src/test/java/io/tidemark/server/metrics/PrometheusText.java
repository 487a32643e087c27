package io.tidemark.server.metrics;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads Prometheus's text format (0.0.4) as strictly as its own parser, and a little stricter:
 * every sample stands below the type of its family, and no sample stands there twice.
 */
public final class PrometheusText {
  private static final Pattern TYPE =
      Pattern.compile("# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram|summary)");
  private static final Pattern SAMPLE =
      Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? (\\S+)");
  private static final Pattern LABEL =
      Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\n]|\\\\[\\\\\"n])*)\"(,|$)");
  private static final Set<String> PARTS = Set.of("_bucket", "_sum", "_count");

  private final Map<String, Family> families = new TreeMap<>();
  private final Map<String, Double> samples = new LinkedHashMap<>();
  private @Nullable Family current;

  /**
   * A family.
   *
   * @param labels names of all labels of its samples, but those of buckets and quantiles
   */
  public record Family(String name, String type, Set<String> labels) {}

  /** Reads a page; fails on the first line that is wrong. */
  public static PrometheusText read(String page) {
    if (!page.endsWith("\n")) {
      throw new AssertionError("the last line has no end");
    }
    PrometheusText text = new PrometheusText();
    page.lines().forEach(text::line);
    text.checkHistograms();
    return text;
  }

  public Map<String, Family> families() {
    return families;
  }

  /** The value of a sample as it is spelled, labels included. */
  public double value(String sample) {
    Double value = samples.get(sample);
    if (value == null) {
      throw new AssertionError("no sample " + sample);
    }
    return value;
  }

  private void line(String line) {
    if (line.startsWith("# TYPE ")) {
      Matcher type = TYPE.matcher(line);
      check(type.matches(), line);
      Family family = new Family(type.group(1), type.group(2), new TreeSet<>());
      check(families.put(family.name, family) == null, line);
      current = family;
      return;
    }
    Matcher sample = SAMPLE.matcher(line);
    check(sample.matches(), line);
    Family family = current;
    check(family != null && belongs(sample.group(1), family), line);
    if (family != null && sample.group(2) != null) {
      family.labels.addAll(labels(sample.group(2), family, line));
    }
    String key = line.substring(0, line.lastIndexOf(' '));
    check(samples.put(key, number(sample.group(3))) == null, line);
  }

  private static boolean belongs(String name, Family family) {
    return name.equals(family.name)
        ? !family.type.equals("histogram")
        : name.startsWith(family.name)
            && PARTS.contains(name.substring(family.name.length()))
            && !family.type.equals("gauge")
            && !family.type.equals("counter");
  }

  private static Set<String> labels(String text, Family family, String line) {
    Set<String> names = new HashSet<>();
    Matcher label = LABEL.matcher(text);
    int at = 0;
    while (at < text.length()) {
      check(label.find(at) && label.start() == at, line);
      check(names.add(label.group(1)), line);
      at = label.end();
    }
    names.remove(family.type.equals("histogram") ? "le" : "");
    names.remove(family.type.equals("summary") ? "quantile" : "");
    return names;
  }

  private static double number(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      case "NaN" -> Double.NaN;
      default -> Double.parseDouble(text);
    };
  }

  /** Buckets only grow, and the last one holds all. */
  private void checkHistograms() {
    Map<String, Double> before = new TreeMap<>();
    samples.forEach(
        (sample, value) -> {
          int bound = sample.indexOf("le=\"");
          if (sample.contains("_bucket{") && bound >= 0) {
            String series = sample.substring(0, bound);
            check(before.getOrDefault(series, 0.0) <= value, sample);
            before.put(series, value);
          }
        });
    before.forEach(
        (series, all) -> {
          String labels = series.substring(series.indexOf('{') + 1);
          String count = series.substring(0, series.indexOf("_bucket{")) + "_count";
          String inner = labels.isEmpty() ? "" : "{" + labels.replaceFirst(",$", "") + "}";
          check(value(count + inner) == all, series);
        });
  }

  private static void check(boolean right, String line) {
    if (!right) {
      throw new AssertionError("not Prometheus's format: " + line);
    }
  }
}
