package io.tidemark.mvcc;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * What isn't a time per call: processor time of the writing thread and of the whole process, bytes
 * written, disk size, history scans, slices of compaction, opening. Prints one line a figure.
 * Linux: what was written is read from {@code /proc/self/io}.
 *
 * <p>Arguments: keys, bytes of a value, entries of 64 overwrites.
 */
public final class Footprint {
  private final FilledStore filled;
  private final Path directory;

  private Footprint(FilledStore filled, Path directory) {
    this.filled = filled;
    this.directory = directory;
  }

  public static void main(String[] args) throws Exception {
    int keys = Integer.parseInt(args[0]);
    int valueBytes = Integer.parseInt(args[1]);
    int entries = Integer.parseInt(args[2]);
    Path directory = Files.createTempDirectory(FilledStore.home(), "tidemark-bench-footprint");
    try {
      Use start = Use.now();
      FilledStore filled = FilledStore.fresh(directory, keys, valueBytes);
      filled.store.runs().awaitBuilt(filled.store.revision());
      filled.store.flush();
      start.print("load, in order", keys);
      Footprint footprint = new Footprint(filled, directory);
      footprint.run(entries);
    } finally {
      WriteBench.removeTree(directory);
    }
  }

  private void run(int entries) throws Exception {
    int commands = entries * FilledStore.ENTRY_COMMANDS;
    System.out.printf("disk after load: %d MB%n", disk() >> 20);
    Use start = Use.now();
    for (int i = 0; i < entries; i++) {
      filled.overwrites();
    }
    start.print("overwrite", commands);
    filled.store.flush();
    start = Use.now();
    for (int i = 0; i < entries; i++) {
      filled.creations();
    }
    start.print("create, at random", commands);
    filled.store.flush();
    System.out.printf("disk before compaction: %d MB%n", disk() >> 20);
    history();
    slices();
    long opened = System.nanoTime();
    filled.store.close();
    System.out.printf("close: %.0f ms%n", (System.nanoTime() - opened) / 1e6);
    opened = System.nanoTime();
    try (MvccStore store = MvccStore.open(directory.resolve("db"), MvccLimits.defaults())) {
      System.out.printf(
          "open: %.0f ms, revision %d%n", (System.nanoTime() - opened) / 1e6, store.revision());
      System.out.printf("disk after compaction: %d MB%n", disk() >> 20);
    }
  }

  private void history() {
    try (ReadView view = filled.store.view();
        HistoryCursor cursor = view.history(2, false)) {
      long start = System.nanoTime();
      long revisions = 0;
      while (cursor.next()) {
        revisions += cursor.batch().changes().size();
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      System.out.printf("history: %.0f changes/s over %d%n", revisions / seconds, revisions);
    }
  }

  /** Compacts slice by slice on this thread, beside the store, whose sweeper has no work. */
  private void slices() {
    Engine engine = filled.store.engine();
    SweepSlice slice = new SweepSlice(engine, MvccLimits.defaults().sliceRows());
    SweepState state = SweepState.INITIAL.begin(filled.store.revision());
    long[] times = new long[1 << 20];
    int count = 0;
    Use start = Use.now();
    while (state.underWay()) {
      long begin = System.nanoTime();
      state = slice.run(state);
      times[count++] = System.nanoTime() - begin;
    }
    long[] sorted = Arrays.copyOf(times, count);
    Arrays.sort(sorted);
    System.out.printf(
        "compaction slice of %d rows: median %.2f ms, p99 %.2f ms, longest %.2f ms, %d slices%n",
        MvccLimits.defaults().sliceRows(),
        sorted[count / 2] / 1e6,
        sorted[count * 99 / 100] / 1e6,
        sorted[count - 1] / 1e6,
        count);
    start.print("compaction", count * MvccLimits.defaults().sliceRows());
    Use files = Use.now();
    engine.flush();
    try (org.rocksdb.CompactRangeOptions how = new org.rocksdb.CompactRangeOptions()) {
      for (Family family : Family.values()) {
        engine.compactFiles(family, how);
      }
    }
    files.print("rewriting the files", 1);
  }

  private long disk() throws IOException {
    long bytes = 0;
    try (var files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        bytes += Files.size(file);
      }
    }
    return bytes;
  }

  /** Time and bytes at one moment. */
  private record Use(long nanos, long threadNanos, long processNanos, long written) {
    static Use now() {
      var system =
          (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
      return new Use(
          System.nanoTime(),
          ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime(),
          system.getProcessCpuTime(),
          writtenBytes());
    }

    void print(String what, int operations) {
      Use end = now();
      System.out.printf(
          "%s: %.2f us, thread %.2f us, process %.2f us, %d bytes written; each of %d%n",
          what,
          (end.nanos - nanos) / 1e3 / operations,
          (end.threadNanos - threadNanos) / 1e3 / operations,
          (end.processNanos - processNanos) / 1e3 / operations,
          (end.written - written) / operations,
          operations);
    }

    private static long writtenBytes() {
      try {
        for (String line : Files.readAllLines(Path.of("/proc/self/io"))) {
          if (line.startsWith("write_bytes: ")) {
            return Long.parseLong(line.substring("write_bytes: ".length()));
          }
        }
      } catch (IOException e) {
        return 0;
      }
      return 0;
    }
  }
}
