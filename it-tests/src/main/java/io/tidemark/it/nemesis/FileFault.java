package io.tidemark.it.nemesis;

import io.tidemark.it.process.MemberProcess;
import io.tidemark.it.rig.ProcessCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Files of a member that was killed are damaged, or some are gone. It has to refuse to start and to
 * say what to do; then the files are put back. A torn end of the log it has to mend by itself.
 */
final class FileFault implements Fault {
  private static final Duration REFUSES = Duration.ofSeconds(60);

  /** What is done to the files. */
  private enum Way {
    MISSING,
    CORRUPT,
    TORN
  }

  private final ProcessCluster cluster;
  private final int victim;
  private final Random random;
  private final Way way;
  private String what = "";
  private int exit = -1;
  private Path damaged = Path.of("");
  private byte[] original = {};

  private FileFault(ProcessCluster cluster, int victim, Random random, Way way) {
    this.cluster = cluster;
    this.victim = victim;
    this.random = random;
    this.way = way;
  }

  static Fault missing(ProcessCluster cluster, int victim, Random random) {
    return new FileFault(cluster, victim, random, Way.MISSING);
  }

  static Fault corrupt(ProcessCluster cluster, int victim, Random random) {
    return new FileFault(cluster, victim, random, Way.CORRUPT);
  }

  static Fault torn(ProcessCluster cluster, int victim, Random random) {
    return new FileFault(cluster, victim, random, Way.TORN);
  }

  @Override
  public void inflict() {
    MemberProcess process = cluster.member(victim);
    process.kill();
    Path data = process.spec().dataDir();
    LogFiles log = new LogFiles(data);
    try {
      damaged = choose(data, log);
      original = Files.readAllBytes(damaged);
      what = damaged.getFileName().toString();
      switch (way) {
        case MISSING -> Files.delete(damaged);
        case CORRUPT -> corrupt();
        case TORN -> LogFiles.tear(damaged);
      }
      if (way != Way.TORN) {
        process.start();
        exit = process.awaitExit(REFUSES);
        Files.write(damaged, original);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private Path choose(Path data, LogFiles log) {
    List<Path> closed = log.closed();
    List<Path> choice = new ArrayList<>();
    switch (way) {
      case MISSING -> {
        choice.add(log.meta());
        choice.add(data.resolve("member").resolve("kv").resolve("CURRENT"));
        // Neither end of the log proves a gap: it may have been purged there, or not written.
        if (closed.size() > 2) {
          choice.addAll(closed.subList(1, closed.size() - 1));
        }
      }
      case CORRUPT -> {
        choice.addAll(closed);
        log.open().ifPresent(choice::add);
      }
      case TORN -> log.open().ifPresent(choice::add);
    }
    return choice.get(random.nextInt(choice.size()));
  }

  private void corrupt() throws IOException {
    byte[] bytes = original.clone();
    int end = LogFiles.endOfRecords(bytes);
    int at = 16 + random.nextInt(Math.max(1, end - 32));
    bytes[at] ^= (byte) (1 << random.nextInt(8));
    Files.write(damaged, bytes);
    what += " at byte " + at;
  }

  @Override
  public Set<Integer> victims() {
    return Set.of(victim);
  }

  @Override
  public boolean unseats() {
    return true;
  }

  @Override
  public String proof() {
    if (way == Way.TORN) {
      return "torn: " + what;
    }
    String output = cluster.member(victim).recentOutput();
    boolean told =
        output.contains("nothing was changed") && output.contains("put the very same files");
    return exit == 1 && told ? "refused to start, said what to do: " + what : "";
  }

  @Override
  public void heal() {
    cluster.member(victim).start();
  }

  @Override
  public String confirm(String proof) {
    boolean cut = cluster.member(victim).recentOutput().contains("cutting it off");
    return way != Way.TORN || cut ? proof : "";
  }
}
