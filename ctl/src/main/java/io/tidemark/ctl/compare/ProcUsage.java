package io.tidemark.ctl.compare;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a process has used, from {@code /proc}.
 *
 * @param cpuSeconds user and system time of all its threads since its start
 * @param rssBytes resident now
 */
record ProcUsage(double cpuSeconds, long rssBytes) {
  /** The kernel tells user space times in hundredths, whatever its own tick. */
  private static final double TICKS_PER_SECOND = 100;

  /** Fields after the command: state is the third field of the line, user time the fourteenth. */
  private static final int USER_TIME = 14 - 3;

  private static final int SYSTEM_TIME = 15 - 3;

  private static final int IDLE = 4;
  private static final int WAITING = 5;

  static ProcUsage of(long pid) {
    try {
      Path proc = Path.of("/proc", Long.toString(pid));
      return parse(
          Files.readString(proc.resolve("stat")), Files.readString(proc.resolve("status")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Processor time that anybody on this machine has used since it started, in seconds. */
  static double machineCpuSeconds() {
    try {
      return parseMachine(Files.readString(Path.of("/proc/stat")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Of the first line all but the idle and waiting time and what guests used, counted before. */
  static double parseMachine(String stat) {
    String[] fields = stat.substring(0, stat.indexOf('\n')).trim().split(" +", -1);
    long ticks = 0;
    for (int i = 1; i <= 8; i++) {
      ticks += i == IDLE || i == WAITING ? 0 : Long.parseLong(fields[i]);
    }
    return ticks / TICKS_PER_SECOND;
  }

  static ProcUsage parse(String stat, String status) {
    // The command in brackets may hold blanks and brackets; the last one ends it.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    long ticks = Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[SYSTEM_TIME]);
    long rssKib =
        status
            .lines()
            .filter(line -> line.startsWith("VmRSS:"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
            .findFirst()
            .orElse(0);
    return new ProcUsage(ticks / TICKS_PER_SECOND, rssKib * 1024);
  }

  ProcUsage plus(ProcUsage other) {
    return new ProcUsage(cpuSeconds + other.cpuSeconds, rssBytes + other.rssBytes);
  }
}
