package io.tidemark.it.nemesis;

import io.tidemark.it.rig.SmallDisk;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What can be done to a cluster. */
public enum FaultKind {
  /** SIGKILL on one member, and a start. */
  KILL,
  /** SIGKILL on all members at once. */
  BLACKOUT,
  /** SIGSTOP, and SIGCONT. */
  PAUSE,
  /** One member is cut off from all others, both ways. */
  ISOLATE,
  /** One member isn't heard by the others, or doesn't hear them. */
  ONE_WAY,
  /** Two halves that only one member in between can talk to. */
  BRIDGE,
  /** A majority here, a minority there. */
  SPLIT,
  /** Everything between members takes longer. */
  DELAY,
  /** Some of what passes between members is lost and sent again. */
  LOSS,
  /** SIGTERM and a start on one member after the other. */
  ROLLING_RESTART,
  /** A member is removed and a new one added in its place. */
  REPLACE,
  /** A member is down until it needs a snapshot. */
  INSTALL,
  /** A member's disk is full; it stops, and starts when there is room. */
  DISK_FULL,
  /** A member can't sync its files; it stops, and starts on a sound disk. */
  FSYNC_ERROR,
  /** Each sync of a member's files takes a while. */
  SLOW_DISK,
  /** Each sync of a member's files takes seconds. */
  DISK_STALL,
  /** A record at the end of a member's log was never written whole; the member cuts it off. */
  TORN_TAIL,
  /** Files of a member are gone; it refuses to start until they are back. */
  MISSING_FILES,
  /** A bit of a member's log is wrong; it refuses to start until it is right. */
  CORRUPT_LOG;

  /** What this machine can do. */
  public static List<FaultKind> available() {
    return Arrays.stream(values()).filter(FaultKind::isAvailable).toList();
  }

  /** Whether this machine can do it: some need strace, or the right to mount file systems. */
  public boolean isAvailable() {
    return switch (this) {
      case DISK_FULL -> SmallDisk.available();
      case FSYNC_ERROR, SLOW_DISK, DISK_STALL -> Tracer.available();
      default -> true;
    };
  }

  /** As flags and reports spell it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The kind that is spelt so.
   *
   * @throws IllegalArgumentException naming all kinds
   */
  public static FaultKind of(String text) {
    List<FaultKind> all = List.of(values());
    return all.stream()
        .filter(kind -> kind.text().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no fault '"
                        + text
                        + "'; there are "
                        + Arrays.toString(all.stream().map(FaultKind::text).toArray())));
  }
}
