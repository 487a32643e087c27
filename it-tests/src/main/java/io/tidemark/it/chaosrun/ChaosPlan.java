package io.tidemark.it.chaosrun;

import io.tidemark.it.nemesis.FaultKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What a run is to be.
 *
 * @param time for faults; load and judgement take a little longer
 * @param seed of the schedule and all clients
 * @param members 3 or 5
 * @param kinds the faults to choose from
 * @param faultsMax ends the run early after so many
 * @param writesBetween acknowledged changes before each fault
 * @param directory for members' files and results; made if missing
 */
public record ChaosPlan(
    Duration time,
    long seed,
    int members,
    List<FaultKind> kinds,
    int faultsMax,
    int writesBetween,
    Path directory) {
  public ChaosPlan {
    kinds = List.copyOf(kinds);
    if (members != 3 && members != 5) {
      throw new IllegalArgumentException("members must be 3 or 5, not " + members);
    }
  }

  /** Flags of every member. Two cores are few for five members: they get a longer election. */
  List<String> memberFlags() {
    return members == 3
        ? List.of("--snapshot-count=300")
        : List.of("--snapshot-count=300", "--heartbeat-interval=300", "--election-timeout=3000");
  }
}
