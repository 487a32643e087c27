package io.tidemark.it.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A short-lived command of a test: its words, what it reads, and what came of it. Blocks until the
 * command ends or its time is over; then it is killed.
 */
public final class Command {
  /** What a command left behind. */
  public record Ended(int code, String out, String err) {
    /** All output, for failure messages. */
    public String all() {
      return "exit code " + code + "\n" + out + err;
    }
  }

  private final List<String> words;
  private final Map<String, String> environment;
  private final @Nullable Path directory;
  private final String input;

  private Command(
      List<String> words, Map<String, String> environment, @Nullable Path directory, String input) {
    this.words = List.copyOf(words);
    this.environment = Map.copyOf(environment);
    this.directory = directory;
    this.input = input;
  }

  public static Command of(String... words) {
    return new Command(List.of(words), Map.of(), null, "");
  }

  public static Command of(List<String> words) {
    return new Command(words, Map.of(), null, "");
  }

  /** The same command with more words. */
  public Command with(String... more) {
    List<String> all = new ArrayList<>(words);
    all.addAll(List.of(more));
    return new Command(all, environment, directory, input);
  }

  public Command env(Map<String, String> added) {
    Map<String, String> all = new HashMap<>(environment);
    all.putAll(added);
    return new Command(words, all, directory, input);
  }

  public Command in(Path where) {
    return new Command(words, environment, where, input);
  }

  public Command reading(String text) {
    return new Command(words, environment, directory, text);
  }

  /** Runs to the end. */
  public Ended run(Duration limit) {
    try {
      Path out = Files.createTempFile("it-out", ".txt");
      Path err = Files.createTempFile("it-err", ".txt");
      try {
        Process running =
            builder().redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        return finish(running, limit, out, err);
      } finally {
        Files.delete(out);
        Files.delete(err);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException("cannot run " + words, failed);
    }
  }

  /** Starts it and follows its output; the caller ends it. */
  public Running start(Path log) {
    try {
      Process process = builder().redirectErrorStream(true).start();
      return new Running(process, OutputLog.follow(words.get(0), process.getInputStream(), log));
    } catch (IOException failed) {
      throw new UncheckedIOException("cannot run " + words, failed);
    }
  }

  /** A command that goes on. Closing kills it. */
  public record Running(Process process, OutputLog output) implements AutoCloseable {
    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  private ProcessBuilder builder() {
    ProcessBuilder builder = new ProcessBuilder(words);
    if (directory != null) {
      builder.directory(directory.toFile());
    }
    builder.environment().keySet().removeIf(name -> name.startsWith("ETCD"));
    builder.environment().putAll(environment);
    return builder;
  }

  private Ended finish(Process running, Duration limit, Path out, Path err) throws IOException {
    try (var stdin = running.getOutputStream()) {
      stdin.write(input.getBytes(StandardCharsets.UTF_8));
    } catch (IOException closedEarly) {
      // A command that doesn't read its input may end first; its exit code tells the rest.
    }
    try {
      boolean ended = running.waitFor(Patience.stretch(limit).toNanos(), TimeUnit.NANOSECONDS);
      if (!ended) {
        running.destroyForcibly().waitFor();
      }
      Ended result = new Ended(running.exitValue(), Files.readString(out), Files.readString(err));
      if (!ended) {
        throw new AssertionError(words + " not finished within " + limit + "\n" + result.all());
      }
      return result;
    } catch (InterruptedException interrupted) {
      running.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while running " + words, interrupted);
    }
  }
}
