package io.tidemark.it.report;

import java.util.Locale;

/** Pieces of one drawing whose horizontal axis is time. */
final class Svg {
  static final int WIDTH = 1200;
  static final int LEFT = 70;
  private static final int RIGHT = 10;

  private final StringBuilder out = new StringBuilder();

  static double x(double share) {
    return LEFT + share * (WIDTH - LEFT - RIGHT);
  }

  Svg rectangle(double from, double to, int top, int height, String style, String title) {
    double width = Math.max(1, x(to) - x(from));
    return add(
        "<rect x='%.1f' y='%d' width='%.1f' height='%d' class='%s'><title>%s</title></rect>",
        x(from), top, width, height, style, Html.text(title));
  }

  Svg text(double x, int y, String style, String text) {
    return add("<text x='%.1f' y='%d' class='%s'>%s</text>", x, y, style, Html.text(text));
  }

  Svg line(double share, int top, int bottom, String style, String title) {
    return add(
        "<line x1='%.1f' x2='%.1f' y1='%d' y2='%d' class='%s'><title>%s</title></line>",
        x(share), x(share), top, bottom, style, Html.text(title));
  }

  /** A value for each slice; the scale goes up to {@code max}. */
  Svg curve(double[] values, double max, int top, int height, String style) {
    StringBuilder points = new StringBuilder();
    for (int i = 0; i < values.length; i++) {
      double y = top + height - (max == 0 ? 0 : values[i] / max * height);
      points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x((i + 0.5) / values.length), y));
    }
    return add("<polyline points='%s' class='%s'/>", points.toString().trim(), style);
  }

  private Svg add(String format, Object... values) {
    out.append(String.format(Locale.ROOT, format, values)).append('\n');
    return this;
  }

  String drawing(int height) {
    return "<svg viewBox='0 0 "
        + WIDTH
        + " "
        + height
        + "' xmlns='http://www.w3.org/2000/svg'>\n"
        + out
        + "</svg>\n";
  }
}
