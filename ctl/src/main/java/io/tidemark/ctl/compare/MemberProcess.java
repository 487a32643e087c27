package io.tidemark.ctl.compare;

import io.tidemark.ctl.bench.LoadFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One member, a child of this process. Blocking; main thread and shutdown hook only. */
final class MemberProcess implements AutoCloseable {
  private static final long STOP_SECONDS = 15;

  private final String name;
  private final Path log;
  private final Process process;

  private MemberProcess(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
  }

  /** Starts {@code command} with both outputs in {@code log}. */
  static MemberProcess start(String name, List<String> command, Path log) {
    try {
      ProcessBuilder builder = new ProcessBuilder(command);
      builder.redirectErrorStream(true).redirectOutput(log.toFile());
      builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
      return new MemberProcess(name, log, builder.start());
    } catch (IOException e) {
      throw new LoadFailure("starting " + name + ": " + e.getMessage(), e);
    }
  }

  long pid() {
    return process.pid();
  }

  ProcUsage usage() {
    return ProcUsage.of(process.pid());
  }

  /** Waits {@code millis} for something that must not happen. Failure: it has ended. */
  void requireAlive(long millis) throws InterruptedException {
    if (process.waitFor(millis, TimeUnit.MILLISECONDS)) {
      throw new LoadFailure(
          name + " ended with status " + process.exitValue() + "; its log is " + log);
    }
  }

  /** Stops it where it is, or lets it go on. */
  void signal(String signal) throws InterruptedException {
    try {
      new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
    } catch (IOException e) {
      throw new LoadFailure("kill -" + signal + ": " + e.getMessage(), e);
    }
  }

  /** Asks it to end. */
  void terminate() {
    process.destroy();
  }

  void kill() {
    process.destroyForcibly();
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
