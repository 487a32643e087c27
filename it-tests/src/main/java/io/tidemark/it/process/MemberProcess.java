package io.tidemark.it.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One member's process over its launches. Signals go to this process alone, by its id. A test
 * thread owns it; the exit hook of the JVM kills what is left.
 */
public final class MemberProcess implements AutoCloseable {
  private static final String READY = "ready to serve client requests";

  private final Product product;
  private final Path logFile;
  private volatile MemberSpec spec;
  private volatile @Nullable Process process;
  private volatile @Nullable OutputLog log;

  public MemberProcess(Product product, MemberSpec spec) {
    this.product = product;
    this.spec = spec;
    this.logFile = spec.home().resolve(spec.name() + ".log");
    Runtime.getRuntime().addShutdownHook(new Thread(this::destroy, "it-exit-" + spec.name()));
  }

  public MemberSpec spec() {
    return spec;
  }

  /** Replaces what the next start uses. */
  public void respec(MemberSpec next) {
    spec = next;
  }

  /** Launches the process; it is not ready yet. */
  public void start() {
    if (isAlive()) {
      throw new IllegalStateException(spec.name() + " already runs");
    }
    ProcessBuilder builder = new ProcessBuilder(spec.commandLine(product));
    builder.redirectErrorStream(true).directory(spec.home().toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("ETCD"));
    builder.environment().putAll(spec.environment());
    try {
      Process launched = builder.start();
      launched.getOutputStream().close();
      process = launched;
      log = OutputLog.follow(spec.name(), launched.getInputStream(), logFile);
    } catch (IOException failed) {
      throw new UncheckedIOException("cannot start " + spec.name(), failed);
    }
  }

  /** Blocks until the ready line is printed. */
  public void awaitReadyLine(Duration limit) {
    output().awaitLine("ready line of " + spec.name(), line -> line.contains(READY), limit);
  }

  /** The output of the newest launch. */
  public OutputLog output() {
    OutputLog current = log;
    if (current == null) {
      throw new IllegalStateException(spec.name() + " was never started");
    }
    return current;
  }

  /** The newest lines of the newest launch; empty when there was none. */
  public String recentOutput() {
    OutputLog current = log;
    return current == null ? "" : current.tail();
  }

  public boolean isAlive() {
    Process current = process;
    return current != null && current.isAlive();
  }

  public long pid() {
    return current().pid();
  }

  /** SIGKILL, and waits until the process is gone. */
  public void kill() {
    current().destroyForcibly();
    awaitExit(Duration.ofSeconds(10));
  }

  /** SIGTERM only. */
  public void terminate() {
    signal("TERM");
  }

  /** SIGSTOP: the process keeps its sockets and does nothing. */
  public void pause() {
    signal("STOP");
  }

  /** SIGCONT. */
  public void resume() {
    signal("CONT");
  }

  /**
   * Blocks until the process ends.
   *
   * @return its exit code
   */
  public int awaitExit(Duration limit) {
    Process running = current();
    try {
      if (!running.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new AssertionError(spec.name() + " still runs after " + limit);
      }
      return running.exitValue();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for " + spec.name(), interrupted);
    }
  }

  @Override
  public void close() {
    Process running = process;
    if (running == null) {
      return;
    }
    running.destroyForcibly();
    awaitExit(Duration.ofSeconds(10));
  }

  private void destroy() {
    Process running = process;
    if (running != null) {
      running.destroyForcibly();
    }
  }

  private Process current() {
    Process running = process;
    if (running == null) {
      throw new IllegalStateException(spec.name() + " was never started");
    }
    return running;
  }

  private void signal(String name) {
    try {
      Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start();
      if (kill.waitFor() != 0) {
        throw new AssertionError("cannot send " + name + " to " + spec.name());
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while signalling " + spec.name(), interrupted);
    }
  }
}
