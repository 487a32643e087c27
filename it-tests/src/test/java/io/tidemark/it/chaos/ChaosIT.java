package io.tidemark.it.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.it.chaosrun.ChaosPlan;
import io.tidemark.it.chaosrun.ChaosRun;
import io.tidemark.it.chaosrun.Verdict;
import io.tidemark.it.nemesis.FaultKind;
import io.tidemark.it.process.Product;
import io.tidemark.it.verdict.Judges;
import io.tidemark.it.verdict.Recording;
import io.tidemark.it.verdict.RecordingFile;
import io.tidemark.judge.Violation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A short form of {@code scripts/chaos}: its leader is killed, cut off one way and paused under
 * keys, watches, locks, leases and compactions. Nothing acknowledged is lost, every promise is
 * kept, and the recording says the same when it is read from its file.
 */
@Tag("chaos")
class ChaosIT {
  private static final int WRITES_BETWEEN = 150;
  private static final List<FaultKind> KINDS =
      List.of(FaultKind.KILL, FaultKind.ONE_WAY, FaultKind.PAUSE);

  /** All three faults of its schedule hit the leader. */
  private static final long SEED = 23;

  @TempDir Path directory;

  @Test
  void everyPromiseIsKeptThroughThreeFaults() throws IOException {
    assumeTrue(Product.underTest() == Product.TIDEMARK, "etcd has no hook for links");
    ChaosPlan plan =
        new ChaosPlan(
            Duration.ofMinutes(2), SEED, 3, KINDS, KINDS.size(), WRITES_BETWEEN, directory);
    Recording recording = new ChaosRun(plan, System.out::println).run();
    List<Violation> violations = Judges.check(recording);
    assertEquals(List.of(), violations.stream().limit(5).toList());
    Verdict verdict = Verdict.of(recording, violations);
    System.out.println(verdict.line());
    assertTrue(verdict.passed(), verdict::line);
    assertEquals(KINDS.size(), verdict.faults());
    assertTrue(recording.faults().stream().allMatch(f -> f.detectMillis() > 0), verdict::line);
    assertTrue(verdict.acknowledged() >= (KINDS.size() + 1) * WRITES_BETWEEN, verdict::line);
    assertTrue(verdict.watches() > 0 && verdict.holds() > 0, verdict::line);

    Path file = directory.resolve("history.jsonl.gz");
    RecordingFile.write(file, recording);
    assertEquals(recording, RecordingFile.read(file));
  }
}
