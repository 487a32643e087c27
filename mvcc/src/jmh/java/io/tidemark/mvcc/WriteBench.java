package io.tidemark.mvcc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Entries of 64 commands, as the apply thread writes them; time for one command. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@OperationsPerInvocation(FilledStore.ENTRY_COMMANDS)
@Warmup(iterations = 2, time = 5)
@Measurement(iterations = 3, time = 5)
@Fork(1)
public class WriteBench {
  @Param({"1000000"})
  public int keys;

  @Param({"256"})
  public int valueBytes;

  private @Nullable Path directory;
  private @Nullable FilledStore filled;

  @Setup(Level.Trial)
  public void open() throws Exception {
    Path made = Files.createTempDirectory(FilledStore.home(), "tidemark-bench-write");
    directory = made;
    filled = FilledStore.fresh(made, keys, valueBytes);
  }

  @TearDown(Level.Trial)
  public void close() throws IOException {
    filled().close();
    removeTree(Objects.requireNonNull(directory));
  }

  @Benchmark
  public void overwrite() {
    filled().overwrites();
  }

  @Benchmark
  public void create() {
    filled().creations();
  }

  static void removeTree(Path root) throws IOException {
    try (var paths = Files.walk(root)) {
      paths
          .sorted(Comparator.reverseOrder())
          .forEach(
              path -> {
                try {
                  Files.delete(path);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }

  private FilledStore filled() {
    return Objects.requireNonNull(filled);
  }
}
