package io.tidemark.server.metrics;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** What this process takes, under the names that Prometheus's own libraries use. Linux. */
public final class ProcessFigures {
  private static final Path MEMORY_PAGES = Path.of("/proc/self/statm");
  private static final long PAGE_BYTES = 4096;
  private static final double NANOS = 1e9;
  private static final double MILLIS = 1e3;

  private ProcessFigures() {}

  /** Adds the figures of this moment; one that can't be found out is left out. */
  public static void add(Families out) {
    out.gauge(
        "process_start_time_seconds", ManagementFactory.getRuntimeMXBean().getStartTime() / MILLIS);
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean os) {
      out.counter("process_cpu_seconds_total", os.getProcessCpuTime() / NANOS);
      out.gauge("process_open_fds", os.getOpenFileDescriptorCount());
      out.gauge("process_max_fds", os.getMaxFileDescriptorCount());
      out.gauge("os_fd_used", os.getOpenFileDescriptorCount());
      out.gauge("os_fd_limit", os.getMaxFileDescriptorCount());
    }
    try {
      String[] pages = Files.readString(MEMORY_PAGES, StandardCharsets.US_ASCII).split(" ", 3);
      out.gauge("process_virtual_memory_bytes", Long.parseLong(pages[0]) * PAGE_BYTES);
      out.gauge("process_resident_memory_bytes", Long.parseLong(pages[1]) * PAGE_BYTES);
    } catch (IOException noProc) {
      // Elsewhere than on Linux there is no such file.
    }
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    out.gauge("jvm_memory_used_bytes{area=\"heap\"}", memory.getHeapMemoryUsage().getUsed());
    out.gauge("jvm_memory_max_bytes{area=\"heap\"}", memory.getHeapMemoryUsage().getMax());
    out.gauge("jvm_threads_current", ManagementFactory.getThreadMXBean().getThreadCount());
  }
}
