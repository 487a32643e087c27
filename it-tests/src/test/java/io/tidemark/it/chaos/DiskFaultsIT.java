package io.tidemark.it.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.it.chaosrun.ChaosPlan;
import io.tidemark.it.chaosrun.ChaosRun;
import io.tidemark.it.nemesis.FaultKind;
import io.tidemark.it.process.Product;
import io.tidemark.it.verdict.Judges;
import io.tidemark.it.verdict.Recording;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Disks of real members fail under load, each in its way: the member stops by itself, or refuses to
 * start, and says what to do; a torn end of its log it mends. The faults themselves look at what it
 * says.
 */
@Tag("long")
class DiskFaultsIT {
  private static final List<FaultKind> KINDS =
      List.of(
              FaultKind.DISK_FULL,
              FaultKind.FSYNC_ERROR,
              FaultKind.SLOW_DISK,
              FaultKind.DISK_STALL,
              FaultKind.TORN_TAIL,
              FaultKind.MISSING_FILES,
              FaultKind.CORRUPT_LOG)
          .stream()
          .filter(FaultKind::isAvailable)
          .toList();

  @TempDir Path directory;

  @Test
  void everyDiskFaultUnderLoad() {
    assumeTrue(Product.underTest() == Product.TIDEMARK, "looks at files of ours");
    System.out.println("disk faults that this machine can make: " + KINDS);
    Recording recording =
        new ChaosRun(
                new ChaosPlan(
                    Duration.ofMinutes(10), 3, 3, KINDS, 2 * KINDS.size(), 300, directory),
                System.out::println)
            .run();
    assertEquals(List.of(), Judges.check(recording).stream().limit(5).toList());
    assertEquals(2 * KINDS.size(), recording.faults().size());
    assertEquals(
        List.of(),
        recording.faults().stream().filter(f -> !f.effective() || f.readyNanos() == 0).toList());
  }
}
