package io.tidemark.ctl.bench;

import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The subcommands of {@code bench} for leases. */
final class LeaseBench {
  private LeaseBench() {}

  @Command(
      name = "lease-keepalive",
      description = "leases with a key each, kept alive; none may end meanwhile")
  static final class KeepAlive extends BenchCommand.Subcommand {
    @Option(
        names = "--leases",
        defaultValue = "10000",
        description = "leases with a key each (default: ${DEFAULT-VALUE})")
    private int leases;

    @Option(
        names = "--streams",
        defaultValue = "16",
        description = "keep-alive streams (default: ${DEFAULT-VALUE})")
    private int streams;

    @Option(
        names = "--ttl",
        defaultValue = "60",
        description = "time to live in seconds (default: ${DEFAULT-VALUE})")
    private long ttl;

    @Option(
        names = "--interval",
        defaultValue = "20s",
        converter = BenchDuration.class,
        description =
            "time between two renewals of a lease; 0s: as many as possible"
                + " (default: ${DEFAULT-VALUE})")
    private Duration interval = Duration.ZERO;

    @Override
    Load load() {
      return new Load.LeaseKeepAlive(leases, streams, ttl, interval);
    }
  }

  @Command(name = "lease-churn", description = "grant a lease, put a key under it, revoke it")
  static final class Churn extends BenchCommand.Subcommand {
    @Option(names = "--callers", defaultValue = "1", description = BenchCommand.CALLERS)
    private int callers;

    @Override
    Load load() {
      return new Load.LeaseChurn(callers);
    }
  }

  @Command(
      name = "lease-expire",
      description = "leases with a key each that end together, and what puts feel of it")
  static final class Expire extends BenchCommand.Subcommand {
    @Option(
        names = "--leases",
        defaultValue = "10000",
        description = "leases with a key each (default: ${DEFAULT-VALUE})")
    private int leases;

    @Option(
        names = "--ttl",
        defaultValue = "60",
        description =
            "seconds until they end: time for granting, warm-up and the window before"
                + " (default: ${DEFAULT-VALUE})")
    private long ttl;

    @Option(
        names = "--rate",
        defaultValue = "1000",
        description = "puts a second (default: ${DEFAULT-VALUE})")
    private int rate;

    @Override
    Load load() {
      return new Load.LeaseExpire(leases, ttl, rate);
    }
  }
}
