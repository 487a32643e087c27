package io.tidemark.ctl;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Rows of {@code top} as text or JSON. Pure. */
final class TopView {
  static final List<String> HEADINGS =
      List.of(
          "endpoint",
          "role",
          "term",
          "revision",
          "lag",
          "lag age",
          "db size",
          "writes/s",
          "reads/s",
          "events/s",
          "fsync",
          "commit",
          "pending",
          "synced",
          "unsynced",
          "victims",
          "errors");

  private static final String UNKNOWN = "-";

  private TopView() {}

  /** Cells in the order of {@link #HEADINGS}. */
  static List<String> cells(TopRow row) {
    return List.of(
        row.endpoint(),
        row.role(),
        text(row.term()),
        text(row.revision()),
        text(row.lag()),
        row.lagMillis() == null ? UNKNOWN : GoText.duration(Duration.ofMillis(row.lagMillis())),
        row.dbSize() == null ? UNKNOWN : GoText.size(row.dbSize()),
        rate(row.writes()),
        rate(row.reads()),
        rate(row.events()),
        millis(row.fsyncMillis()),
        millis(row.commitMillis()),
        text(row.pending()),
        text(row.synced()),
        text(row.unsynced()),
        text(row.victims()),
        String.join(", ", row.errors()));
  }

  private static String text(@Nullable Long value) {
    return value == null ? UNKNOWN : value.toString();
  }

  private static String rate(@Nullable Double value) {
    return value == null ? UNKNOWN : String.format(Locale.ROOT, "%.0f", value);
  }

  private static String millis(@Nullable Double value) {
    return value == null ? UNKNOWN : String.format(Locale.ROOT, "%.1fms", value);
  }

  /** Columns with two blanks between them; nothing behind the last one. */
  static String plain(List<TopRow> rows) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(HEADINGS.stream().map(name -> name.toUpperCase(Locale.ROOT)).toList());
    rows.forEach(row -> lines.add(cells(row)));
    int[] widths = new int[HEADINGS.size()];
    for (List<String> line : lines) {
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(widths[column], line.get(column).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> line : lines) {
      StringBuilder built = new StringBuilder();
      for (int column = 0; column < widths.length; column++) {
        String cell = line.get(column);
        built.append(cell).append(" ".repeat(widths[column] - cell.length() + 2));
      }
      text.append(built.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }

  static String table(List<TopRow> rows) {
    return TextTable.render(HEADINGS, rows.stream().map(TopView::cells).toList());
  }

  /** One object; null for what isn't known. */
  static String json(List<TopRow> rows) {
    StringBuilder json = new StringBuilder("{\"members\":[");
    String separator = "";
    for (TopRow row : rows) {
      json.append(separator);
      append(json, row);
      separator = ",";
    }
    return json.append("]}").toString();
  }

  private static void append(StringBuilder json, TopRow row) {
    json.append("{\"endpoint\":").append(GoJson.string(row.endpoint()));
    json.append(",\"id\":").append(GoJson.string(row.id()));
    json.append(",\"role\":").append(GoJson.string(row.role()));
    json.append(",\"term\":").append(row.term());
    json.append(",\"revision\":").append(row.revision());
    json.append(",\"lag_entries\":").append(row.lag());
    json.append(",\"lag_age_millis\":").append(row.lagMillis());
    json.append(",\"db_size\":").append(row.dbSize());
    json.append(",\"writes_per_second\":").append(row.writes());
    json.append(",\"reads_per_second\":").append(row.reads());
    json.append(",\"events_per_second\":").append(row.events());
    json.append(",\"fsync_millis\":").append(row.fsyncMillis());
    json.append(",\"commit_millis\":").append(row.commitMillis());
    json.append(",\"pending\":").append(row.pending());
    json.append(",\"watchers\":{\"streams\":").append(row.streams());
    json.append(",\"synced\":").append(row.synced());
    json.append(",\"unsynced\":").append(row.unsynced());
    json.append(",\"victims\":").append(row.victims());
    json.append("},\"errors\":[");
    json.append(String.join(",", row.errors().stream().map(GoJson::string).toList()));
    json.append("]}");
  }
}
