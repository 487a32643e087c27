package io.tidemark.ctl.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

final class BenchCommandTest {
  private final StringWriter errors = new StringWriter();
  private final CommandLine line = BenchMain.commandLine().setErr(new PrintWriter(errors, true));

  private BenchCommand.Subcommand parsed(String... args) {
    CommandLine.ParseResult result = line.parseArgs(args);
    return (BenchCommand.Subcommand) result.subcommand().commandSpec().userObject();
  }

  @Test
  void defaultsOfPut() {
    BenchCommand.Subcommand put = parsed("put");
    assertEquals(new Load.Put(1), put.load());
    assertFalse(put.fill());
    BenchOptions options = put.options();
    assertEquals(List.of(new Endpoint("127.0.0.1", 2379)), put.endpoints());
    assertEquals(Duration.ofSeconds(10), options.duration);
    assertEquals(Duration.ofSeconds(3), options.warmup);
    assertEquals(256, options.valueBytes);
    assertEquals(10000, options.keySpace);
    assertEquals("bench/", options.prefix);
    assertFalse(options.json);
  }

  @Test
  void everyLoadTakesItsFlags() {
    assertEquals(new Load.Put(256), parsed("put", "--callers", "256").load());
    assertEquals(
        new Load.Range(8, true, 100),
        parsed("range", "--callers=8", "--consistency", "s", "--limit", "100").load());
    assertEquals(new Load.Txn(3, false), parsed("txn", "--callers=3", "--consistency=l").load());
    assertEquals(
        new Load.Watch("watch", List.of(new Endpoint("a", 1), new Endpoint("b", 2)), 50, 4, 0),
        parsed("watch", "--endpoints=a:1,b:2", "--streams=50", "--writers=4", "--rate=0").load());
    assertEquals(
        new Load.Watch("watch-latency", List.of(new Endpoint("c", 3)), 1, 256, 200),
        parsed("watch-latency", "--endpoints=a:1", "--watch-endpoints=c:3", "--rate=200").load());
  }

  @Test
  void leaseLoadsTakeTheirFlags() {
    assertEquals(
        new Load.LeaseKeepAlive(10_000, 16, 60, Duration.ofSeconds(20)),
        parsed("lease-keepalive").load());
    assertEquals(
        new Load.LeaseKeepAlive(100, 2, 10, Duration.ZERO),
        parsed("lease-keepalive", "--leases=100", "--streams=2", "--ttl=10", "--interval=0s")
            .load());
    assertEquals(new Load.LeaseChurn(8), parsed("lease-churn", "--callers=8").load());
    assertEquals(
        new Load.LeaseExpire(50, 30, 200),
        parsed("lease-expire", "--leases=50", "--ttl=30", "--rate=200").load());
    assertEquals(new Load.Backup(300), parsed("backup", "--rate=300").load());
  }

  @Test
  void endpointsMayStandBeforeTheSubcommand() {
    assertEquals(
        List.of(new Endpoint("a", 1), new Endpoint("b", 2)),
        parsed("--endpoints=a:1,b:2", "put").endpoints());
  }

  @Test
  void fillingCanBeTurnedOff() {
    assertTrue(parsed("range").fill());
    assertTrue(parsed("range", "--fill").fill());
    assertFalse(parsed("range", "--no-fill").fill());
    assertFalse(parsed("txn", "--no-fill").fill());
  }

  @Test
  void durationsHaveUnits() {
    BenchOptions options = parsed("put", "--duration=2m", "--warmup=500ms", "--json").options();
    assertEquals(Duration.ofMinutes(2), options.duration);
    assertEquals(Duration.ofMillis(500), options.warmup);
    assertTrue(options.json);
    for (String bad : List.of("", "10", "s", "-1s", "1h", "1.5s", "12345678901s")) {
      assertThrows(
          TypeConversionException.class,
          () -> new BenchDuration().convert(bad),
          () -> "'" + bad + "'");
    }
  }

  @Test
  void mistakesAreUsageErrors() {
    assertEquals(2, line.execute("range", "--consistency=x"));
    assertTrue(errors.toString().startsWith("--consistency is l or s\n"));
    assertEquals(2, line.execute("put", "--endpoints=nowhere"));
    assertEquals(2, line.execute("put", "--duration=0s"));
    assertEquals(2, line.execute("put", "--callers=0"));
    assertEquals(2, line.execute("put", "--bogus"));
    assertEquals(2, line.execute());
  }
}
