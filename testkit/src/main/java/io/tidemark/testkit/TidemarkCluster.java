package io.tidemark.testkit;

import io.tidemark.testkit.network.Network;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A cluster inside this JVM: real members, with logs and stores on the disk and real sockets
 * between them. Several clusters may run side by side and know nothing of each other.
 *
 * <pre>{@code
 * try (TidemarkCluster cluster = TidemarkCluster.builder().withNodes(3).start()) {
 *   Client client = Client.builder().endpoints(cluster.clientEndpoints()).build();
 *   cluster.awaitLeader().kill();
 * }
 * }</pre>
 *
 * <p>Thread-safe; methods that change something block until it is done. Closing takes down whatever
 * runs and deletes the data, unless {@link ClusterBuilder#withDataDirectory} named a place for it.
 */
public final class TidemarkCluster implements AutoCloseable {
  private static final Duration LEADER = Duration.ofSeconds(30);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final Duration startTimeout;
  private final Path directory;
  private final boolean temporary;
  private final Network network;
  private final LeaseTime leaseTime = new LeaseTime(System::nanoTime);
  private final @Nullable TestCertificates certificates;
  private final List<TidemarkMember> members;

  TidemarkCluster(ClusterBuilder builder) {
    this.startTimeout = builder.startTimeout();
    Path kept = builder.directory();
    this.temporary = kept == null;
    try {
      this.directory =
          kept == null
              ? Files.createTempDirectory(builder.prefix() + "-")
              : Files.createDirectories(kept);
    } catch (IOException e) {
      throw new UncheckedIOException("no directory for a cluster", e);
    }
    this.certificates = builder.ssl() ? TestCertificates.in(directory) : null;
    this.network = new Network(builder.prefix(), builder.nodes());
    this.members =
        IntStream.range(0, builder.nodes())
            .mapToObj(
                i ->
                    new TidemarkMember(
                        i,
                        MemberPlan.of(builder, i, directory, network, certificates),
                        network,
                        leaseTime))
            .toList();
  }

  /** A cluster of one member, until told otherwise. */
  public static ClusterBuilder builder() {
    return new ClusterBuilder();
  }

  /** Starts all members that are down and waits until each serves. Else everything is closed. */
  public void start() {
    try {
      members.forEach(TidemarkMember::launch);
      members.forEach(member -> member.awaitReady(startTimeout));
    } catch (RuntimeException | Error failed) {
      close();
      throw failed;
    }
  }

  /** Stops all members in order and starts them again, on the same data and endpoints. */
  public void restart() {
    stop();
    start();
  }

  /** Stops all members in order. The data stays. */
  public void stop() {
    network.heal();
    members.forEach(TidemarkMember::stop);
  }

  /** Number of members. */
  public int size() {
    return members.size();
  }

  /** All members, running or not, in order. */
  public List<TidemarkMember> members() {
    return members;
  }

  /** One member, from 0. */
  public TidemarkMember member(int index) {
    return members.get(index);
  }

  /** Where clients reach the members, in order; the same for the cluster's whole life. */
  public List<URI> clientEndpoints() {
    return members.stream().map(TidemarkMember::clientEndpoint).toList();
  }

  /** The members' peer URLs, in order. */
  public List<URI> peerEndpoints() {
    return members.stream().map(TidemarkMember::peerEndpoint).toList();
  }

  /** The files for TLS; empty without {@link ClusterBuilder#withSsl}. */
  public Optional<TestCertificates> certificates() {
    return Optional.ofNullable(certificates);
  }

  /** The time by which leases run out here. */
  public LeaseTime leaseTime() {
    return leaseTime;
  }

  /**
   * The member that leads, once one does: of the highest term, if several believe it. Waits for
   * half a minute at most; a paused or cut-off member may be the answer until others elect another.
   */
  public TidemarkMember awaitLeader() {
    return awaitLeaderAmong(new HashSet<>(members));
  }

  /** The leader among the others, once there is one: after {@code former} was cut off, say. */
  public TidemarkMember awaitLeaderOtherThan(TidemarkMember former) {
    Set<TidemarkMember> others = new HashSet<>(members);
    others.remove(former);
    return awaitLeaderAmong(others);
  }

  private TidemarkMember awaitLeaderAmong(Set<TidemarkMember> candidates) {
    long deadline = System.nanoTime() + LEADER.toNanos();
    while (System.nanoTime() - deadline < 0) {
      Optional<TidemarkMember> leader =
          candidates.stream()
              .filter(TidemarkMember::isLeader)
              .max(Comparator.comparingLong(TidemarkMember::term));
      if (leader.isPresent()) {
        return leader.get();
      }
      LockSupport.parkNanos(LOOK_NANOS);
      if (Thread.interrupted()) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while waiting for a leader");
      }
    }
    throw new IllegalStateException("no leader among " + candidates + " within " + LEADER);
  }

  /**
   * Splits the network between members: no byte passes between different groups. Who is in no group
   * is alone. Clients still reach everybody. Replaces an earlier partition.
   */
  @SafeVarargs
  public final void partition(Set<TidemarkMember>... groups) {
    List<Set<Integer>> numbers = new ArrayList<>();
    for (Set<TidemarkMember> group : groups) {
      numbers.add(group.stream().map(TidemarkMember::index).collect(Collectors.toSet()));
    }
    network.partition(numbers);
  }

  /** Cuts a member off from all others; clients still reach it. */
  public void isolate(TidemarkMember member) {
    Set<TidemarkMember> others = new HashSet<>(members);
    others.remove(member);
    partition(Set.of(member), others);
  }

  /** Nothing that {@code from} sends reaches {@code to}; the other way stays as it is. */
  public void cutOneWay(TidemarkMember from, TidemarkMember to) {
    network.cutOneWay(from.index(), to.index());
  }

  /** All members hear each other again; what was held back arrives. */
  public void heal() {
    network.heal();
  }

  @Override
  public void close() {
    everyone(temporary ? TidemarkMember::kill : TidemarkMember::stop);
    network.close();
    if (temporary) {
      delete();
    }
  }

  /** At once, each on a thread of its own: each waits for threads to end. */
  private void everyone(Consumer<TidemarkMember> action) {
    List<Thread> threads =
        members.stream().map(m -> new Thread(() -> action.accept(m), m + "-close")).toList();
    threads.forEach(Thread::start);
    boolean interrupted = false;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void delete() {
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("can't delete " + directory, e);
    }
  }
}
