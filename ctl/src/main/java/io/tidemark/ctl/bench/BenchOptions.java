package io.tidemark.ctl.bench;

import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Option;

/** The flags that every load takes. Filled in by the command line parser. */
final class BenchOptions {
  @Option(
      names = "--duration",
      defaultValue = "10s",
      converter = BenchDuration.class,
      description = "measured time, as 500ms, 10s or 2m (default: ${DEFAULT-VALUE})")
  Duration duration = Duration.ZERO;

  @Option(
      names = "--warmup",
      defaultValue = "3s",
      converter = BenchDuration.class,
      description = "time before that, discarded (default: ${DEFAULT-VALUE})")
  Duration warmup = Duration.ZERO;

  @Option(
      names = "--value-bytes",
      defaultValue = "256",
      description = "length of a value (default: ${DEFAULT-VALUE})")
  int valueBytes;

  @Option(
      names = "--key-space",
      defaultValue = "10000",
      description = "number of different keys (default: ${DEFAULT-VALUE})")
  int keySpace;

  @Option(
      names = "--prefix",
      defaultValue = "bench/",
      description = "what every key begins with (default: ${DEFAULT-VALUE})")
  String prefix = "";

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "for keys and values (default: ${DEFAULT-VALUE})")
  long seed;

  @Option(
      names = "--connections",
      defaultValue = "2",
      description = "connections per endpoint (default: ${DEFAULT-VALUE})")
  int connections;

  @Option(
      names = "--loops",
      defaultValue = "1",
      description = "event loop threads of the client (default: ${DEFAULT-VALUE})")
  int loops;

  @Option(names = "--json", description = "print one JSON object")
  boolean json;

  LoadRun open(List<Endpoint> endpoints) {
    return new LoadRun(
        new Target(endpoints, connections, loops),
        new KeySpace(prefix, keySpace, valueBytes, seed),
        Phases.of(warmup, duration),
        Window.ignored());
  }
}
