package io.tidemark.ctl.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits through warm-up and window, samples once a second, and brackets the window. */
final class Measurement {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final Phases phases;
  private final Window window;
  private final List<Tally> tallies;

  /** Counted down by a load that can't go on. */
  private final CountDownLatch abort = new CountDownLatch(1);

  private double seconds;
  private double cpuSeconds;

  Measurement(Phases phases, Window window, List<Tally> tallies) {
    this.phases = phases;
    this.window = window;
    this.tallies = List.copyOf(tallies);
  }

  /** Ends the window early. Thread: any. */
  void abort() {
    abort.countDown();
  }

  double seconds() {
    return seconds;
  }

  double cpuSeconds() {
    return cpuSeconds;
  }

  void run() throws InterruptedException {
    abort.await(phases.warmup().toNanos(), TimeUnit.NANOSECONDS);
    tallies.forEach(Tally::discard);
    window.opened();
    long opened = System.nanoTime();
    long cpuOpened = processCpuNanos();
    long end = opened + phases.measured().toNanos();
    long last = opened;
    boolean going = true;
    while (going) {
      long wake = Math.min(last + SECOND, end);
      boolean aborted = abort.await(wake - System.nanoTime(), TimeUnit.NANOSECONDS);
      long now = System.nanoTime();
      double interval = (now - last) / 1e9;
      tallies.forEach(tally -> tally.sample(interval));
      last = now;
      going = !aborted && now < end;
    }
    seconds = (last - opened) / 1e9;
    cpuSeconds = (processCpuNanos() - cpuOpened) / 1e9;
    window.closed();
  }

  private static long processCpuNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }
}
