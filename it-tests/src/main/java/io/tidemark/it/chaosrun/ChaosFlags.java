package io.tidemark.it.chaosrun;

import io.tidemark.it.nemesis.FaultKind;
import io.tidemark.it.process.Product;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The command line.
 *
 * @param plan of the run
 * @param recheck a recording to judge again, instead of a run
 * @param help whether only to say what there is
 */
record ChaosFlags(ChaosPlan plan, @Nullable Path recheck, boolean help) {
  static final String USAGE =
      """
      Usage: scripts/chaos [--minutes M] [--seed S] [--members 3|5] [--faults KIND,...] [--out DIR]
             scripts/chaos --recheck FILE [--out DIR]

      Starts a cluster of real members with a proxy on every link, loads it with clients on all members
      (keys, transactions, watches, locks, leases, compactions), breaks it by a schedule that follows from
      the seed, heals it after each fault, and judges everything that the clients were told. A fault
      that did nothing fails the run, as does a cluster that isn't ready within 30 s of healing.
      The last line is the verdict; the exit code is 0 only when it is PASSED.

        --minutes M      time for faults (2)
        --seed S         of the schedule and all clients (another one each time)
        --members N      3 or 5 (3)
        --faults KIND,.. of these kinds only: %s
        --out DIR        report.html, result.json, history.jsonl.gz and logs (target/chaos/seed-S)
        --recheck FILE   judges a history again; results go to its directory
      """
          .formatted(
              Arrays.stream(FaultKind.values())
                  .map(FaultKind::text)
                  .collect(Collectors.joining(" ")));

  static ChaosFlags parse(String[] arguments) {
    double minutes = 2;
    long seed = System.nanoTime() & 0xffff_ffffL;
    int members = 3;
    List<FaultKind> kinds = FaultKind.available();
    @Nullable Path out = null;
    @Nullable Path recheck = null;
    boolean help = false;
    for (int i = 0; i < arguments.length; i++) {
      String[] parts = arguments[i].split("=", 2);
      if (parts[0].equals("--help") || parts[0].equals("-h")) {
        help = true;
        continue;
      }
      if (parts.length == 1 && ++i == arguments.length) {
        throw new IllegalArgumentException("a value is missing after " + parts[0]);
      }
      String value = parts.length == 2 ? parts[1] : arguments[i];
      switch (parts[0]) {
        case "--minutes" -> minutes = Double.parseDouble(value);
        case "--seed" -> seed = Long.parseLong(value);
        case "--members" -> members = Integer.parseInt(value);
        case "--faults" -> kinds = Arrays.stream(value.split(",", -1)).map(FaultKind::of).toList();
        case "--recheck" -> recheck = Path.of(value).toAbsolutePath();
        case "--out" -> out = Path.of(value);
        default -> throw new IllegalArgumentException("unknown option " + parts[0]);
      }
    }
    Path directory = out != null ? out : defaultDirectory(recheck, seed);
    Duration time = Duration.ofMillis((long) (minutes * 60_000));
    return new ChaosFlags(
        new ChaosPlan(time, seed, members, kinds, Integer.MAX_VALUE, 1_000, directory),
        recheck,
        help);
  }

  private static Path defaultDirectory(@Nullable Path recheck, long seed) {
    Path beside = recheck == null ? null : recheck.getParent();
    return beside != null ? beside : Product.checkout().resolve("target/chaos/seed-" + seed);
  }
}
