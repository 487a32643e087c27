package io.tidemark.ctl.compare;

import io.tidemark.ctl.bench.BenchDuration;
import io.tidemark.ctl.bench.JsonText;
import io.tidemark.ctl.bench.KeySpace;
import io.tidemark.ctl.bench.LoadFailure;
import io.tidemark.ctl.bench.Phases;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code compare}: Tidemark beside etcd on this machine. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    description = "Measures three members of etcd and three of Tidemark in interleaved pairs")
final class CompareCommand implements Callable<Integer> {
  private static final int TIDEMARK_PORT_OFFSET = 50;
  private static final long QUOTA_BYTES = 8L << 30;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--pairs", defaultValue = "3", description = "default: ${DEFAULT-VALUE}")
  private int pairs;

  @Option(
      names = "--duration",
      defaultValue = "8s",
      converter = BenchDuration.class,
      description = "measured time of each run (default: ${DEFAULT-VALUE})")
  private Duration duration = Duration.ZERO;

  @Option(
      names = "--warmup",
      defaultValue = "2s",
      converter = BenchDuration.class,
      description = "time before that, discarded (default: ${DEFAULT-VALUE})")
  private Duration warmup = Duration.ZERO;

  @Option(
      names = "--jit-warmup",
      defaultValue = "20s",
      converter = BenchDuration.class,
      description =
          "Tidemark runs each row this long before anything is measured"
              + " (default: ${DEFAULT-VALUE})")
  private Duration jitWarmup = Duration.ZERO;

  @Option(
      names = "--through",
      split = ",",
      defaultValue = "leader",
      description =
          "who takes the calls: leader, follower, spread, or a comma list"
              + " (default: ${DEFAULT-VALUE})")
  private List<Through> through = List.of();

  @Option(names = "--rows", split = ",", description = "only these rows (default: all)")
  private List<String> only = List.of();

  @Option(names = "--list", description = "print the names of the rows and end")
  private boolean list;

  @Option(names = "--etcd-only", description = "leave Tidemark out")
  private boolean etcdOnly;

  @Option(names = "--tidemark-only", description = "leave etcd out")
  private boolean tidemarkOnly;

  @Option(
      names = "--stop-idle",
      description = "stop the waiting cluster by SIGSTOP; it may elect anew when it goes on")
  private boolean stopIdle;

  @Option(
      names = "--secured",
      description = "clients talk TLS, with certificates of the members' own, and sign in as root")
  private boolean secured;

  @Option(names = "--value-bytes", defaultValue = "256", description = "default: ${DEFAULT-VALUE}")
  private int valueBytes;

  @Option(names = "--key-space", defaultValue = "10000", description = "default: ${DEFAULT-VALUE}")
  private int keySpace;

  @Option(
      names = "--rate",
      defaultValue = "500",
      description = "puts a second for event latency (default: ${DEFAULT-VALUE})")
  private int rate;

  @Option(
      names = "--base-port",
      defaultValue = "26000",
      description = "etcd listens from here on, Tidemark 50 above (default: ${DEFAULT-VALUE})")
  private int basePort;

  @Option(
      names = "--etcd",
      defaultValue = "etcd",
      description = "program (default: ${DEFAULT-VALUE})")
  private String etcd = "";

  @Option(
      names = "--tidemark",
      defaultValue = "scripts/tidemark",
      description = "program (default: ${DEFAULT-VALUE})")
  private String tidemark = "";

  @Option(
      names = "--dir",
      description = "parent of the data, on a real disk (default: a temporary directory)")
  private @Nullable Path parent;

  @Option(names = "--keep", description = "keep data and logs")
  private boolean keep;

  @Option(names = "--out", description = "file for the results as JSON")
  private @Nullable Path out;

  @Parameters(
      paramLabel = "MEMBER FLAGS",
      description = "after --: more flags for the members of both, such as --election-timeout=3000")
  private List<String> memberFlags = List.of();

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<Row> rows = rows();
    PrintWriter terminal = spec.commandLine().getOut();
    if (list) {
      rows.forEach(row -> terminal.println(row.title()));
      terminal.flush();
      return 0;
    }
    Path directory =
        parent == null
            ? Files.createTempDirectory("tidemark-compare-")
            : Files.createTempDirectory(Files.createDirectories(parent), "compare-");
    boolean succeeded = false;
    try {
      requireDisk(directory);
      measure(rows, directory, terminal);
      succeeded = true;
    } finally {
      if (keep || !succeeded) {
        spec.commandLine().getErr().println("data and logs are in " + directory);
        spec.commandLine().getErr().flush();
      } else {
        deleteAll(directory);
      }
    }
    return 0;
  }

  private List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    for (Through each : through) {
      for (Row row : Row.all(each, rate)) {
        if (only.isEmpty() || only.contains(row.name())) {
          rows.add(row);
        }
      }
    }
    List<String> names = rows.stream().map(Row::name).toList();
    for (String name : only) {
      if (!names.contains(name)) {
        throw new ParameterException(spec.commandLine(), "no such row: " + name);
      }
    }
    if (etcdOnly && tidemarkOnly) {
      throw new ParameterException(spec.commandLine(), "nothing is left to measure");
    }
    return rows;
  }

  private static void requireDisk(Path directory) throws IOException {
    String type = Files.getFileStore(directory).type();
    if (type.equals("tmpfs") || type.equals("ramfs")) {
      throw new LoadFailure(directory + " is in memory (" + type + "); give a disk with --dir");
    }
  }

  private void measure(List<Row> rows, Path directory, PrintWriter terminal)
      throws IOException, InterruptedException {
    KeySpace keys = new KeySpace("bench/", keySpace, valueBytes, 1);
    List<String> flags = new ArrayList<>();
    flags.addAll(List.of("--quota-backend-bytes", Long.toString(QUOTA_BYTES)));
    flags.addAll(memberFlags);
    Contender first = new Contender(Contender.ETCD, etcd);
    Contender second = new Contender(Contender.TIDEMARK, tidemark);
    try (Clusters clusters = new Clusters()) {
      LocalCluster ofEtcd =
          tidemarkOnly ? null : clusters.start(first, directory, basePort, flags, secured);
      LocalCluster ofTidemark =
          etcdOnly
              ? null
              : clusters.start(second, directory, basePort + TIDEMARK_PORT_OFFSET, flags, secured);
      Comparison comparison =
          new Comparison(
              ofEtcd,
              ofTidemark,
              keys,
              Phases.of(warmup, duration),
              stopIdle,
              spec.commandLine().getErr());
      if (secured) {
        comparison.demandPasswords();
      }
      comparison.warmUp(rows, jitWarmup);
      List<RowResult> results = new ArrayList<>();
      for (Row row : rows) {
        results.add(comparison.run(row, pairs));
        // After every row, so that a run that is cut short leaves something.
        writeJson(results, ofEtcd, ofTidemark);
      }
      terminal.println(RowResult.header());
      results.forEach(result -> terminal.println(result.toText()));
      terminal.flush();
    }
  }

  private void writeJson(
      List<RowResult> results, @Nullable LocalCluster ofEtcd, @Nullable LocalCluster ofTidemark)
      throws IOException {
    if (out == null) {
      return;
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("finished", Instant.now().toString());
    json.put("cores", Runtime.getRuntime().availableProcessors());
    json.put("kernel", System.getProperty("os.version", ""));
    json.put("etcd_version", ofEtcd == null ? "" : ofEtcd.version());
    json.put("tidemark_version", ofTidemark == null ? "" : ofTidemark.version());
    json.put("pairs", pairs);
    json.put("seconds", JsonText.rounded(duration.toMillis() / 1000.0, 3));
    json.put("member_flags", memberFlags);
    json.put("secured", secured);
    json.put("value_bytes", valueBytes);
    json.put("key_space", keySpace);
    json.put("idle_cluster", stopIdle ? "stopped" : "running");
    json.put("rows", results.stream().map(RowResult::toJson).toList());
    Path parentOfOut = out.toAbsolutePath().getParent();
    if (parentOfOut != null) {
      Files.createDirectories(parentOfOut);
    }
    Files.writeString(out, JsonText.of(json) + "\n");
  }

  private static void deleteAll(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
