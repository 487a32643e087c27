package io.tidemark.ctl;

import java.util.List;
import java.util.Locale;

/** A table drawn with dashes and bars: headings centred and in capitals, cells to the right. */
final class TextTable {
  private TextTable() {}

  static String render(List<String> headings, List<List<String>> rows) {
    int[] widths = new int[headings.size()];
    for (int column = 0; column < widths.length; column++) {
      widths[column] = width(headings.get(column));
      for (List<String> row : rows) {
        widths[column] = Math.max(widths[column], width(row.get(column)));
      }
    }
    StringBuilder text = new StringBuilder();
    rule(text, widths);
    text.append('|');
    for (int column = 0; column < widths.length; column++) {
      String heading = headings.get(column).toUpperCase(Locale.ROOT);
      int space = widths[column] - width(heading);
      text.append(' ').append(" ".repeat(space / 2)).append(heading);
      text.append(" ".repeat(space - space / 2)).append(" |");
    }
    text.append('\n');
    rule(text, widths);
    for (List<String> row : rows) {
      text.append('|');
      for (int column = 0; column < widths.length; column++) {
        String cell = row.get(column);
        text.append(' ').append(" ".repeat(widths[column] - width(cell))).append(cell).append(" |");
      }
      text.append('\n');
    }
    rule(text, widths);
    return text.toString();
  }

  private static int width(String text) {
    return text.codePointCount(0, text.length());
  }

  private static void rule(StringBuilder text, int[] widths) {
    text.append('+');
    for (int width : widths) {
      text.append("-".repeat(width + 2)).append('+');
    }
    text.append('\n');
  }
}
