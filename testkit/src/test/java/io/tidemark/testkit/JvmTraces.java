package io.tidemark.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/**
 * What a JVM has that a member could leave behind.
 *
 * @param threads ids and names of live threads
 * @param files open descriptors, as far as they say what they are
 * @param hooks shutdown hooks
 * @param properties system properties
 * @param beans management beans
 */
record JvmTraces(
    Set<String> threads, int files, Set<String> hooks, Properties properties, Set<String> beans) {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  static JvmTraces now() {
    return new JvmTraces(threadNames(), openFiles(), hookNames(), systemProperties(), beanNames());
  }

  private static Set<String> threadNames() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(thread -> thread.getId() + " " + thread.getName())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  static int openFiles() {
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      return (int) files.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Set<String> hookNames() {
    try {
      Field hooks = Class.forName("java.lang.ApplicationShutdownHooks").getDeclaredField("hooks");
      hooks.setAccessible(true);
      Map<?, ?> threads = (Map<?, ?>) hooks.get(null);
      return threads.keySet().stream()
          .map(hook -> hook.getClass().getName() + " " + ((Thread) hook).getName())
          .collect(Collectors.toCollection(TreeSet::new));
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private static Properties systemProperties() {
    return (Properties) System.getProperties().clone();
  }

  private static Set<String> beanNames() {
    try {
      return ManagementFactory.getPlatformMBeanServer()
          .queryNames(new ObjectName("Ratis:*"), null)
          .stream()
          .map(ObjectName::toString)
          .collect(Collectors.toCollection(TreeSet::new));
    } catch (MalformedObjectNameException e) {
      throw new AssertionError(e);
    }
  }

  /** Threads that live now and didn't then; those of the JVM and the test runner apart. */
  static Set<String> threadsSince(JvmTraces before) {
    Set<String> now = threadNames();
    now.removeAll(before.threads());
    now.removeIf(name -> name.contains("ForkJoinPool.commonPool"));
    return now;
  }

  static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError(what);
      }
      LockSupport.parkNanos(20_000_000);
    }
  }

  /** Memory that the process holds, in MiB. */
  static long residentMib() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
      return lines
              .filter(line -> line.startsWith("VmRSS:"))
              .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
              .sum()
          / 1024;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Java heap in use after a collection, in MiB. */
  static long heapMib() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 20;
  }

  /** Direct buffers, in MiB. */
  static long directMib() {
    List<BufferPoolMXBean> pools = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class);
    return pools.stream()
            .filter(pool -> pool.getName().equals("direct"))
            .mapToLong(BufferPoolMXBean::getMemoryUsed)
            .sum()
        >> 20;
  }
}
