package io.tidemark.it.process;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/**
 * What one launch of a process prints, line by line: appended to a file, the newest lines kept in
 * memory. The reader thread owns the stream; any thread may ask or wait.
 */
public final class OutputLog {
  private static final int KEPT_LINES = 400;

  private record Expectation(Predicate<String> wanted, CompletableFuture<String> found) {}

  private final Path file;

  @GuardedBy("this")
  private final Deque<String> newest = new ArrayDeque<>();

  @GuardedBy("this")
  private final List<Expectation> expectations = new ArrayList<>();

  @GuardedBy("this")
  private boolean ended;

  private OutputLog(Path file) {
    this.file = file;
  }

  /** Starts the reader, named after the process. It ends with the stream. */
  static OutputLog follow(String process, InputStream output, Path file) {
    OutputLog log = new OutputLog(file);
    Thread reader = new Thread(() -> log.pump(output), "it-" + process + "-output");
    reader.setDaemon(true);
    reader.start();
    return log;
  }

  /**
   * The first line, already printed or yet to come, that is wanted.
   *
   * @throws AssertionError when the output ended, or the time did, without it
   */
  public String awaitLine(String what, Predicate<String> wanted, Duration limit) {
    CompletableFuture<String> found = expect(what, wanted);
    try {
      return found.get(Patience.stretch(limit).toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      throw new AssertionError("no line within " + limit + ": " + what + "\n" + tail(), late);
    } catch (ExecutionException without) {
      throw new AssertionError("output ended without: " + what + "\n" + tail(), without);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for: " + what, interrupted);
    }
  }

  private synchronized CompletableFuture<String> expect(String what, Predicate<String> wanted) {
    CompletableFuture<String> found = new CompletableFuture<>();
    for (String line : newest) {
      if (wanted.test(line)) {
        found.complete(line);
        return found;
      }
    }
    if (ended) {
      found.completeExceptionally(new IOException("output ended before: " + what));
    } else {
      expectations.add(new Expectation(wanted, found));
    }
    return found;
  }

  /** The newest lines, one string. */
  public synchronized String tail() {
    return String.join("\n", newest);
  }

  /** The newest lines. */
  public synchronized List<String> lines() {
    return List.copyOf(newest);
  }

  private void pump(InputStream output) {
    try (BufferedReader reader =
            new BufferedReader(new InputStreamReader(output, StandardCharsets.UTF_8));
        BufferedWriter copy =
            Files.newBufferedWriter(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        copy.write(line);
        copy.newLine();
        copy.flush();
        accept(line);
      }
    } catch (IOException broken) {
      accept("(output no longer readable: " + broken + ")");
    } catch (UncheckedIOException broken) {
      accept("(output no longer readable: " + broken + ")");
    } finally {
      end();
    }
  }

  private synchronized void accept(String line) {
    if (newest.size() == KEPT_LINES) {
      newest.removeFirst();
    }
    newest.addLast(line);
    expectations.removeIf(
        expectation -> expectation.wanted().test(line) && expectation.found().complete(line));
  }

  private synchronized void end() {
    ended = true;
    expectations.forEach(
        expectation -> expectation.found().completeExceptionally(new IOException("output ended")));
    expectations.clear();
  }
}
