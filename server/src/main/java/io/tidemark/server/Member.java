package io.tidemark.server;

import com.codahale.metrics.MetricRegistry;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.clusterconfig.MemberConfig;
import io.tidemark.raftcore.FaultHandler;
import io.tidemark.raftcore.RaftMember;
import io.tidemark.raftcore.RaftStatus;
import io.tidemark.server.access.Reads;
import io.tidemark.server.edge.Edge;
import io.tidemark.server.health.Serving;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One member: its replica, its services and its client port, wired by hand and closed in reverse.
 * Several members may live in one JVM. It decides nothing itself.
 *
 * <p>Thread-safe. {@link #start} and {@link #close} block.
 */
public final class Member implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Member.class);
  private static final Duration LOOK_AGAIN = Duration.ofMinutes(1);

  private final String name;
  private final RaftMember raft;
  private final Reads reads;
  private final Edge edge;
  private final MetricRegistry metrics;
  private final Serving serving;
  private final Closing closing;
  private final Ending ending;
  private final CompletableFuture<Void> ready = new CompletableFuture<>();

  Member(
      String name,
      RaftMember raft,
      Reads reads,
      Edge edge,
      MetricRegistry metrics,
      Serving serving,
      Closing closing,
      Ending ending) {
    this.name = name;
    this.raft = raft;
    this.reads = reads;
    this.edge = edge;
    this.metrics = metrics;
    this.serving = serving;
    this.closing = closing;
    this.ending = ending;
  }

  /** The same with real time, real addresses, and faults in the log and in {@link #ended}. */
  public static Member start(MemberConfig config) throws IOException {
    return start(config, Embedding.plain());
  }

  /** The same with somebody to tell of faults. */
  public static Member start(MemberConfig config, FaultHandler faults) throws IOException {
    return start(config, Embedding.plain().withFaults(faults));
  }

  /**
   * Opens the data, joins the cluster and binds the ports. Returns without waiting for a leader;
   * see {@link #ready}. When it throws, nothing is left open.
   *
   * @throws IOException when a port or the data can't be opened
   * @throws IllegalArgumentException when the configuration asks for what isn't there
   */
  public static Member start(MemberConfig config, Embedding embedding) throws IOException {
    TidemarkVersion version = TidemarkVersion.reported(System.getenv("ETCD_COMPAT_VERSION"));
    Ending ending = new Ending(embedding.faults());
    Member member = new MemberWiring(config, version, embedding.surroundings()).start(ending);
    member.watchForReadiness();
    return member;
  }

  /**
   * Completes when this member serves: it is in the member table, knows a leader, has passed a read
   * barrier of its own and its ports are bound. Cancelled when the member is closed before that.
   */
  public CompletableFuture<Void> ready() {
    return ready.copy();
  }

  /**
   * Completes when this member serves no more: normally once it is closed or was removed from its
   * cluster, exceptionally when it met a fault. It must be closed in any case.
   */
  public CompletableFuture<Void> ended() {
    return ending.future();
  }

  public String name() {
    return name;
  }

  /** The bound client ports in the order of the listen URLs; -1 for a unix socket. */
  public List<Integer> clientPorts() {
    return edge.ports();
  }

  /** The bound peer port. */
  public int peerPort() {
    return raft.peerPort();
  }

  /** Its id, as member lists and response headers show it. */
  public long id() {
    return raft.status().memberId();
  }

  /** Whether it believes that it leads; for a moment after an election two members may. */
  public boolean isLeader() {
    RaftStatus status = raft.status();
    return status.leaderId() == status.memberId();
  }

  /** The highest Raft term that it has heard of. */
  public long term() {
    return raft.term();
  }

  /** Everything this member measures. */
  public MetricRegistry metrics() {
    return metrics;
  }

  /** The replica, for embedding code and tests. */
  public RaftMember raft() {
    return raft;
  }

  /**
   * Stops: clients are sent to other members, leadership is handed over, everything is closed.
   * Takes a few seconds at most. Further calls do nothing.
   */
  @Override
  public void close() {
    serving.set(false);
    ready.cancel(false);
    closing.run();
    ending.closed();
  }

  /**
   * Ends at once, as near to a kill as can be without ending the JVM: connections break, leadership
   * stays where it was, the store isn't flushed. Unlike after a kill, what was being written to the
   * log gets finished, which may take a second. Further calls, and {@link #close}, do nothing.
   */
  public void abort() {
    serving.set(false);
    ready.cancel(false);
    edge.close();
    raft.abort();
    closing.run();
    ending.closed();
  }

  /**
   * For a process that ends before {@link #close} has come back: nothing in the background of the
   * store keeps it any more. The member can't be used after that.
   */
  public void endBackgroundWork() {
    raft.endBackgroundWork();
  }

  private void watchForReadiness() {
    Thread waiter = new Thread(this::awaitReady, "tidemark-" + name + "-ready");
    waiter.setDaemon(true);
    closing.add("waiting for the cluster", waiter::interrupt);
    waiter.start();
  }

  private void awaitReady() {
    try {
      while (!raft.awaitReady(LOOK_AGAIN)) {
        LOG.info("member {} still waits for the cluster", name);
      }
      Optional<EtcdError> failure = reads.barrier().join();
      while (failure.isPresent() && !Thread.interrupted()) {
        LOG.info("member {} can't read yet: {}", name, failure.get().message());
        failure = reads.barrier().join();
      }
      if (failure.isEmpty() && !ready.isDone()) {
        serving.set(true);
        ready.complete(null);
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }
}
