package io.tidemark.ctl.bench;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code bench put|range|txn|watch|watch-latency|backup} and {@code
 * lease-keepalive|lease-churn|lease-expire}. Exit status 1 when nothing succeeded.
 *
 * <p>The root command declares {@code --endpoints}, a string, and {@code --help} for all
 * subcommands; calls go to the endpoints in turn.
 */
@Command(
    name = "bench",
    description = "Loads any server of the etcd v3 API and reports rates and latencies",
    subcommands = {
      BenchCommand.Put.class,
      BenchCommand.Range.class,
      BenchCommand.Txn.class,
      BenchCommand.Watch.class,
      BenchCommand.WatchLatency.class,
      LeaseBench.KeepAlive.class,
      LeaseBench.Churn.class,
      LeaseBench.Expire.class,
      BenchCommand.Backup.class
    })
public final class BenchCommand implements Runnable {
  static final String ENDPOINTS = "--endpoints";

  static final String CALLERS = "concurrent callers (default: ${DEFAULT-VALUE})";
  private static final String READS = "l (linearizable) or s (serializable) reads";
  private static final String FILL = "put every key once before (default: ${DEFAULT-VALUE})";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "bench what? See bench --help");
  }

  /** What the subcommands share. */
  abstract static class Subcommand implements Callable<Integer> {
    @Mixin private BenchOptions options = new BenchOptions();
    @Spec private CommandSpec spec = CommandSpec.create();

    abstract Load load();

    boolean fill() {
      return false;
    }

    List<Endpoint> endpoints() {
      OptionSpec option = spec.findOption(ENDPOINTS);
      return Endpoint.parseList(String.valueOf(option.<Object>getValue()));
    }

    BenchOptions options() {
      return options;
    }

    /** Reads {@code l} or {@code s}. */
    boolean serializable(String consistency) {
      return switch (consistency) {
        case "l" -> false;
        case "s" -> true;
        default -> throw new IllegalArgumentException("--consistency is l or s");
      };
    }

    @Override
    public Integer call() throws InterruptedException {
      CommandLine line = spec.commandLine();
      LoadRun run;
      Load load;
      try {
        run = options.open(endpoints());
        load = load();
      } catch (IllegalArgumentException e) {
        throw new ParameterException(line, String.valueOf(e.getMessage()), e);
      }
      LoadReport report;
      try {
        if (fill()) {
          run.fill();
        }
        report = run.run(load);
      } catch (LoadFailure e) {
        line.getErr().println("Error: " + e.getMessage());
        return 1;
      }
      PrintWriter out = line.getOut();
      out.print(options.json ? JsonText.of(report.toJson()) + "\n" : report.toText());
      out.flush();
      return report.operations() == 0 ? 1 : 0;
    }
  }

  @Command(name = "put", description = "puts of random keys")
  static final class Put extends Subcommand {
    @Option(names = "--callers", defaultValue = "1", description = CALLERS)
    private int callers;

    @Override
    Load load() {
      return new Load.Put(callers);
    }
  }

  @Command(name = "range", description = "reads of random keys")
  static final class Range extends Subcommand {
    @Option(names = "--callers", defaultValue = "1", description = CALLERS)
    private int callers;

    @Option(names = "--consistency", defaultValue = "l", description = READS)
    private String consistency = "";

    @Option(
        names = "--limit",
        defaultValue = "0",
        description = "keys per read; 0: the single key (default: ${DEFAULT-VALUE})")
    private int limit;

    @Option(
        names = "--fill",
        negatable = true,
        defaultValue = "true",
        fallbackValue = "true",
        description = FILL)
    private boolean fill;

    @Override
    Load load() {
      return new Load.Range(callers, serializable(consistency), limit);
    }

    @Override
    boolean fill() {
      return fill;
    }
  }

  @Command(name = "txn", description = "read-modify-write guarded by mod revision")
  static final class Txn extends Subcommand {
    @Option(names = "--callers", defaultValue = "1", description = CALLERS)
    private int callers;

    @Option(names = "--consistency", defaultValue = "l", description = READS)
    private String consistency = "";

    @Option(
        names = "--fill",
        negatable = true,
        defaultValue = "true",
        fallbackValue = "true",
        description = FILL)
    private boolean fill;

    @Override
    Load load() {
      return new Load.Txn(callers, serializable(consistency));
    }

    @Override
    boolean fill() {
      return fill;
    }
  }

  /** The flags of both kinds of watch load. */
  abstract static class Watching extends Subcommand {
    @Option(
        names = "--watch-endpoints",
        description = "comma list of endpoints to watch on (default: --endpoints)")
    private @Nullable String watchEndpoints;

    @Option(
        names = "--rate",
        defaultValue = "1000",
        description = "puts a second; 0: closed loop (default: ${DEFAULT-VALUE})")
    private int rate;

    int rate() {
      return rate;
    }

    List<Endpoint> watched() {
      return watchEndpoints == null ? endpoints() : Endpoint.parseList(watchEndpoints);
    }
  }

  @Command(name = "watch", description = "fan-out: every stream gets every event")
  static final class Watch extends Watching {
    @Option(
        names = "--streams",
        defaultValue = "100",
        description = "streams that watch the prefix (default: ${DEFAULT-VALUE})")
    private int streams;

    @Option(
        names = "--writers",
        defaultValue = "16",
        description = "most puts under way (default: ${DEFAULT-VALUE})")
    private int writers;

    @Override
    Load load() {
      return new Load.Watch("watch", watched(), streams, writers, rate());
    }
  }

  @Command(
      name = "watch-latency",
      description = "time from a put's call to its event at one watcher")
  static final class WatchLatency extends Watching {
    @Override
    Load load() {
      return new Load.Watch("watch-latency", watched().subList(0, 1), 1, 256, rate());
    }
  }

  @Command(name = "backup", description = "backups of the first member, and what puts feel of it")
  static final class Backup extends Subcommand {
    @Option(
        names = "--rate",
        defaultValue = "1000",
        description = "puts a second (default: ${DEFAULT-VALUE})")
    private int rate;

    @Option(
        names = "--fill",
        negatable = true,
        defaultValue = "true",
        fallbackValue = "true",
        description = FILL)
    private boolean fill;

    @Override
    Load load() {
      return new Load.Backup(rate);
    }

    @Override
    boolean fill() {
      return fill;
    }
  }
}
