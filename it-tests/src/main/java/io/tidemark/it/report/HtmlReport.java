package io.tidemark.it.report;

import io.tidemark.it.load.LeaderWatch;
import io.tidemark.it.nemesis.FaultRecord;
import io.tidemark.it.verdict.Recording;
import io.tidemark.judge.Violation;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** One page that shows a run: a drawing over time, what faults cost, and what is wrong. */
public final class HtmlReport {
  private static final int VIOLATIONS_MAX = 20;
  private static final int PANE = 110;
  private static final int GAP = 34;

  private static final String STYLE =
      """
      body { font: 14px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 1260px; color: #222 }
      svg { width: 100%; background: #fff; border: 1px solid #ddd }
      text { font: 11px system-ui, sans-serif; fill: #555 } .title { font-weight: 600; fill: #222 }
      polyline { fill: none; stroke-width: 1.3 }
      .changed, .p50 { stroke: #1b7f4b } .read { stroke: #2b6cb0 } .unknown { stroke: #c05621 }
      .rejected { stroke: #b83280 } .p99 { stroke: #c53030 } .axis { stroke: #bbb }
      .fault { fill: #c53030; fill-opacity: .16 } .mending { fill: #dd6b20; fill-opacity: .12 }
      .idle { fill: #6b46c1; fill-opacity: .4 } .violation { stroke: #e00; stroke-width: 2 }
      .m0 { stroke: #2b6cb0; fill: #2b6cb0 } .m1 { stroke: #1b7f4b; fill: #1b7f4b }
      .m2 { stroke: #c05621; fill: #c05621 } .m3 { stroke: #6b46c1; fill: #6b46c1 }
      .m4 { stroke: #b7791f; fill: #b7791f } polyline.m0, polyline.m1, polyline.m2, polyline.m3,
      polyline.m4 { fill: none } .none { fill: #ddd }
      table { border-collapse: collapse } td, th { padding: .2em .8em; border-bottom: 1px solid #ddd;
      text-align: right } td:first-child, th:first-child, .left { text-align: left }
      pre { background: #f7f7f7; padding: .7em; overflow-x: auto; font-size: 12px }
      .passed { color: #1b7f4b } .failed { color: #c53030 }
      """;

  private final Recording recording;
  private final List<Violation> violations;
  private final Timeline timeline;
  private final Svg svg = new Svg();

  private HtmlReport(Recording recording, List<Violation> violations) {
    this.recording = recording;
    this.violations = violations;
    this.timeline = new Timeline(recording);
  }

  /**
   * The page.
   *
   * @param verdict one line that begins with PASSED or FAILED
   */
  public static String of(Recording recording, List<Violation> violations, String verdict) {
    HtmlReport report = new HtmlReport(recording, violations);
    return report.page(verdict);
  }

  private String page(String verdict) {
    String kind = verdict.startsWith("PASSED") ? "passed" : "failed";
    return "<!doctype html>\n<html lang='en'><meta charset='utf-8'><title>Chaos, seed "
        + recording.seed()
        + "</title><style>"
        + STYLE
        + "</style>\n<h1>Chaos, seed "
        + recording.seed()
        + ", "
        + recording.members()
        + " members</h1>\n<p class='"
        + kind
        + "'><b>"
        + Html.text(verdict)
        + "</b></p>\n"
        + drawing()
        + costs()
        + faults()
        + wrong()
        + "</html>\n";
  }

  private String drawing() {
    int top = GAP;
    int bottom = 4 * (PANE + GAP) + 20;
    shade(top, bottom - top);
    top = rates(top);
    top = latencies(top);
    top = leadership(top);
    lags(top);
    marks(GAP, bottom);
    int seconds = (int) (timeline.slices() * timeline.sliceSeconds());
    for (int tick = 0; tick <= 10; tick++) {
      svg.text(Svg.x(tick / 10.0) - 8, bottom + 16, "tick", tick * seconds / 10 + " s");
    }
    return svg.drawing(bottom + 24);
  }

  private void shade(int top, int height) {
    for (FaultRecord fault : recording.faults()) {
      double began = timeline.share(fault.beganNanos());
      double healed = timeline.share(fault.healedNanos());
      String name = fault.step().kind().text() + " " + fault.members();
      String style = fault.effective() ? "fault" : "idle";
      svg.rectangle(began, healed, top, height, style, name + ": " + fault.proof());
      double ready = fault.readyNanos() == 0 ? 1 : timeline.share(fault.readyNanos());
      svg.rectangle(healed, ready, top, height, "mending", name + " healed, not all ready");
      int row = fault.step().number() % 2 == 0 ? 12 : 24;
      svg.text(Svg.x(began), row, "name", fault.step().kind().text());
    }
  }

  private void pane(int top, String title, double max, String unit) {
    svg.text(Svg.LEFT + 4, top + 12, "title", title);
    svg.text(4, top + 10, "tick", String.format(Locale.ROOT, "%.0f %s", max, unit));
    svg.text(4, top + PANE, "tick", "0");
  }

  private int rates(int top) {
    double[] changed = timeline.rate(Timeline.Kind.CHANGED);
    double[] read = timeline.rate(Timeline.Kind.READ);
    double[] unknown = timeline.rate(Timeline.Kind.UNKNOWN);
    double[] rejected = timeline.rate(Timeline.Kind.REJECTED);
    double max = Timeline.max(changed, read, unknown, rejected);
    pane(
        top,
        "attempts per second: changes (green), reads (blue), unknown (orange), rejected (pink)",
        max,
        "/s");
    svg.curve(changed, max, top, PANE, "changed").curve(read, max, top, PANE, "read");
    svg.curve(unknown, max, top, PANE, "unknown").curve(rejected, max, top, PANE, "rejected");
    return top + PANE + GAP;
  }

  private int latencies(int top) {
    double[] half = timeline.latency(0.5);
    double[] most = timeline.latency(0.99);
    double max = Timeline.max(most);
    pane(top, "how long an attempt takes: half of them (green), 99 % (red)", max, "ms");
    svg.curve(most, max, top, PANE, "p99").curve(half, max, top, PANE, "p50");
    return top + PANE + GAP;
  }

  /** A row for each member; the colour says whom it takes for the leader. */
  private int leadership(int top) {
    svg.text(Svg.LEFT + 4, top + 12, "title", "whom each member takes for the leader (colour)");
    int height = (PANE - 20) / recording.members();
    for (int member = 0; member < recording.members(); member++) {
      int row = top + 18 + member * height;
      int number = member;
      svg.text(4, row + height / 2 + 4, "m" + member, "m" + member);
      List<LeaderWatch.Said> said =
          recording.leaders().stream()
              .filter(s -> s.member() == number)
              .sorted(Comparator.comparingLong(LeaderWatch.Said::nanos))
              .toList();
      for (int i = 0; i < said.size(); i = stretch(said, i, row, height)) {}
    }
    return top + PANE + GAP;
  }

  /** Draws from one answer to the first that differs or comes late; gives that one's number. */
  private int stretch(List<LeaderWatch.Said> said, int from, int row, int height) {
    LeaderWatch.Said first = said.get(from);
    int to = from;
    while (to + 1 < said.size()
        && said.get(to + 1).leader() == first.leader()
        && said.get(to + 1).nanos() - said.get(to).nanos() < 1_500_000_000L) {
      to++;
    }
    String style = "none";
    for (LeaderWatch.Said other : recording.leaders()) {
      if (other.own() == first.leader()) {
        style = "m" + other.member();
        break;
      }
    }
    svg.rectangle(
        timeline.share(first.nanos()),
        timeline.share(said.get(to).nanos() + 250_000_000L),
        row,
        height - 3,
        style,
        "term " + first.term() + ": " + (style.equals("none") ? "no leader" : style));
    return to + 1;
  }

  private void lags(int top) {
    double[][] lags = new double[recording.members()][];
    for (int member = 0; member < lags.length; member++) {
      lags[member] = timeline.watchLag(member);
    }
    double max = Timeline.max(lags);
    pane(top, "from acknowledgement to event on each member, worst", max, "ms");
    for (int member = 0; member < lags.length; member++) {
      svg.curve(lags[member], max, top, PANE, "m" + member);
    }
  }

  private void marks(int top, int bottom) {
    for (Violation violation : violations.stream().limit(VIOLATIONS_MAX).toList()) {
      OptionalLong moment = Excerpt.moment(recording, violation);
      if (moment.isPresent()) {
        svg.line(
            timeline.share(moment.getAsLong()),
            top,
            bottom,
            "violation",
            violation.kind() + " at revision " + violation.revision());
      }
    }
  }

  private String costs() {
    StringBuilder table = new StringBuilder();
    table.append(
        "<h2>What faults cost</h2>\n<p>Milliseconds, median / worst: until another member led; from healing"
            + " until every member served again; the longest time without an acknowledged change.</p>\n"
            + "<table><tr><th>fault<th>count<th>new leader<th>ready<th>no changes</tr>\n");
    for (FaultTable.Row row : FaultTable.of(recording)) {
      table.append(
          String.format(
              Locale.ROOT,
              "<tr><td>%s<td>%d<td>%s<td>%s<td>%s</tr>%n",
              row.kind().text(),
              row.count(),
              spread(row.detect()),
              spread(row.recover()),
              spread(row.outage())));
    }
    return table.append("</table>\n").toString();
  }

  private static String spread(FaultTable.Spread millis) {
    return millis.median() < 0 ? "" : millis.median() + " / " + millis.worst();
  }

  private String faults() {
    StringBuilder list = new StringBuilder("<h2>Faults</h2>\n<pre>");
    for (FaultRecord fault : recording.faults()) {
      list.append(
          Html.text(
              String.format(
                  Locale.ROOT,
                  "%8.1f s %s  %s: %s%n",
                  (fault.beganNanos() - recording.beganNanos()) / 1e9,
                  fault.step(),
                  fault.members(),
                  fault.effective() ? fault.proof() : "DID NOTHING")));
    }
    return list.append("</pre>\n").toString();
  }

  private String wrong() {
    StringBuilder list = new StringBuilder("<h2>Violations: " + violations.size() + "</h2>\n");
    for (Violation violation : violations.stream().limit(VIOLATIONS_MAX).toList()) {
      list.append("<h3 class='failed'>").append(violation.kind()).append("</h3>\n<p>");
      list.append(Html.text(violation.detail())).append("</p>\n<pre>");
      Excerpt.of(recording, violation).forEach(line -> list.append(Html.text(line)).append('\n'));
      list.append("</pre>\n");
    }
    return list.toString();
  }
}
