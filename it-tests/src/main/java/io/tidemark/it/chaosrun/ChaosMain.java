package io.tidemark.it.chaosrun;

import io.tidemark.it.nemesis.FaultKind;
import io.tidemark.it.report.HtmlReport;
import io.tidemark.it.report.JsonResult;
import io.tidemark.it.verdict.Judges;
import io.tidemark.it.verdict.Recording;
import io.tidemark.it.verdict.RecordingFile;
import io.tidemark.judge.Violation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** {@code scripts/chaos}. Exit codes: 0 nothing is wrong, 1 something is, 2 wrong flags. */
public final class ChaosMain {
  private static final int SHOWN = 10;

  private ChaosMain() {}

  /** Runs it; see {@link ChaosFlags#USAGE}. */
  public static void main(String[] arguments) throws Exception {
    System.exit(run(arguments));
  }

  private static int run(String[] arguments) throws Exception {
    ChaosFlags flags;
    try {
      flags = ChaosFlags.parse(arguments);
    } catch (IllegalArgumentException wrong) {
      System.err.println("chaos: " + wrong.getMessage() + " (see scripts/chaos --help)");
      return 2;
    }
    if (flags.help()) {
      System.out.print(ChaosFlags.USAGE);
      return 0;
    }
    if (flags.recheck() != null) {
      Recording recording = RecordingFile.read(flags.recheck());
      return judge(recording, flags.plan().directory()) ? 0 : 1;
    }
    ChaosPlan plan = flags.plan();
    Files.createDirectories(plan.directory());
    System.out.printf(
        "seed %d, %d members, %d s, faults %s%n",
        plan.seed(),
        plan.members(),
        plan.time().toSeconds(),
        plan.kinds().stream().map(FaultKind::text).toList());
    List<String> unavailable =
        Arrays.stream(FaultKind.values())
            .filter(kind -> !kind.isAvailable())
            .map(FaultKind::text)
            .toList();
    if (!unavailable.isEmpty()) {
      System.out.println("unavailable on this machine: " + unavailable);
    }
    Recording recording;
    try {
      recording = new ChaosRun(plan, System.out::println).run();
    } catch (AssertionError | RuntimeException broken) {
      broken.printStackTrace(System.out);
      System.out.println("FAILED: seed " + plan.seed() + ": the run broke off: " + first(broken));
      return 1;
    }
    Path history = plan.directory().resolve("history.jsonl.gz");
    RecordingFile.write(history, recording);
    System.out.println("history: " + history);
    return judge(recording, plan.directory()) ? 0 : 1;
  }

  private static String first(Throwable broken) {
    return String.valueOf(broken.getMessage()).lines().findFirst().orElse("");
  }

  private static boolean judge(Recording recording, Path directory) throws IOException {
    List<Violation> violations = Judges.check(recording);
    violations.stream().limit(SHOWN).forEach(System.out::println);
    Verdict verdict = Verdict.of(recording, violations);
    Files.createDirectories(directory);
    Path page = directory.resolve("report.html");
    Files.writeString(page, HtmlReport.of(recording, violations, verdict.line()));
    Files.writeString(
        directory.resolve("result.json"),
        JsonResult.of(recording, violations, verdict.passed(), verdict));
    System.out.println("report: " + page);
    System.out.println(verdict.line());
    return verdict.passed();
  }
}
