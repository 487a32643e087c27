package io.tidemark.ctl;

import java.io.Console;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code top}: every member with its rates, drawn anew again and again until it is interrupted or
 * nobody reads. State comes from {@code Status}, rates and watchers from {@code /metrics}.
 */
@Command(name = "top", description = "A live view: members, rates, lag, watchers by state.")
final class TopCommand implements Callable<Integer> {
  private static final String CLEAR = "\u001b[H\u001b[2J";

  private final Session session;

  @Option(
      names = "--interval",
      defaultValue = "2s",
      description = "Time between two looks (default: ${DEFAULT-VALUE}).")
  String interval = "2s";

  @Option(names = "--once", description = "Look twice, print once: for scripts, with -w json.")
  boolean once;

  @Option(names = "--cluster", description = "All endpoints of the member list.")
  boolean cluster;

  TopCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws InterruptedException {
    Duration pause = GoText.parseDuration("--interval", interval);
    if (pause.toMillis() < 1) {
      throw CommandFailure.badArguments("--interval must be a millisecond or more");
    }
    requireFormat();
    List<Endpoint> endpoints = EndpointCommand.endpoints(session, cluster);
    MemberPage pages = new MemberPage(session.options());
    List<TopMember> members =
        endpoints.stream().map(endpoint -> new TopMember(session, endpoint, pages)).toList();
    ScheduledExecutorService looks = Executors.newScheduledThreadPool(endpoints.size());
    try {
      List<TopSample> before = List.of();
      while (true) {
        List<TopSample> now = look(looks, members, before.isEmpty() ? Duration.ZERO : pause);
        if (!once || !before.isEmpty()) {
          draw(before, now);
        }
        if ((once && !before.isEmpty()) || session.out().checkError()) {
          return now.stream().allMatch(sample -> sample.status() == null)
              ? CommandFailure.ERROR
              : 0;
        }
        before = now;
      }
    } finally {
      looks.shutdownNow();
      members.forEach(TopMember::close);
    }
  }

  private void requireFormat() {
    if (!List.of("simple", "table", "json").contains(format())) {
      throw new CommandFailure(
          CommandFailure.BAD_FEATURE,
          session.options().writeOut + " not supported as output format");
    }
  }

  private String format() {
    return session.options().writeOut.toLowerCase(Locale.ROOT);
  }

  /** All members at the same time, after a pause. */
  private static List<TopSample> look(
      ScheduledExecutorService looks, List<TopMember> members, Duration pause)
      throws InterruptedException {
    List<Future<TopSample>> asked = new ArrayList<>();
    for (TopMember member : members) {
      asked.add(looks.schedule(member::look, pause.toNanos(), TimeUnit.NANOSECONDS));
    }
    List<TopSample> samples = new ArrayList<>();
    for (Future<TopSample> answer : asked) {
      try {
        samples.add(answer.get());
      } catch (ExecutionException e) {
        if (e.getCause() instanceof CommandFailure wrongOption) {
          throw wrongOption;
        }
        throw new IllegalStateException(e.getCause());
      }
    }
    return samples;
  }

  /** From Java 22 on there is a console without a terminal, too; only it can tell. */
  private static boolean isTerminal(@Nullable Console console) {
    if (console == null) {
      return false;
    }
    try {
      return Boolean.TRUE.equals(Console.class.getMethod("isTerminal").invoke(console));
    } catch (NoSuchMethodException olderJava) {
      return true;
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }

  private void draw(List<TopSample> before, List<TopSample> now) {
    List<TopRow> rows = new ArrayList<>();
    for (int i = 0; i < now.size(); i++) {
      rows.add(TopRow.of(before.isEmpty() ? null : before.get(i), now.get(i)));
    }
    boolean drawnOver = !once && isTerminal(System.console());
    String text =
        switch (format()) {
          case "json" -> TopView.json(rows) + "\n";
          case "table" -> (drawnOver ? CLEAR : "") + TopView.table(rows);
          default -> (drawnOver ? CLEAR : "") + TopView.plain(rows);
        };
    session.out().print(text);
    session.out().flush();
  }
}
