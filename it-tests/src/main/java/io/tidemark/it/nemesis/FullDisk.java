package io.tidemark.it.nemesis;

import io.tidemark.it.process.MemberProcess;
import io.tidemark.it.rig.ProcessCluster;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** Something else fills the disk of a member, which stops by itself; then there is room again. */
final class FullDisk implements Fault {
  private static final Duration STOPS = Duration.ofSeconds(30);

  private final ProcessCluster cluster;
  private final int victim;
  private int exit = -1;

  /** The victim's data directory must be a small file system of its own. */
  FullDisk(ProcessCluster cluster, int victim) {
    this.cluster = cluster;
    this.victim = victim;
  }

  private Path filler() {
    return cluster.member(victim).spec().dataDir().resolve("filler");
  }

  @Override
  public void inflict() {
    MemberProcess process = cluster.member(victim);
    byte[] block = new byte[4096];
    // Room that the member gives back is taken again until it stops.
    long deadline = System.nanoTime() + STOPS.toNanos();
    try (OutputStream out = Files.newOutputStream(filler())) {
      while (process.isAlive() && System.nanoTime() < deadline) {
        try {
          out.write(block);
        } catch (IOException full) {
          LockSupport.parkNanos(1_000_000);
        }
      }
    } catch (IOException failed) {
      if (process.isAlive()) {
        throw new UncheckedIOException(failed);
      }
    }
    exit = process.awaitExit(Duration.ofSeconds(1));
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
    String output = cluster.member(victim).recentOutput();
    return exit == 1 && output.contains("the disk is full: make room and start the member again")
        ? "stopped by itself and asked for room"
        : "";
  }

  @Override
  public void heal() {
    try {
      Files.deleteIfExists(filler());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    cluster.member(victim).start();
  }
}
