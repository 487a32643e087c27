package io.tidemark.testkit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.clusterconfig.ConfigResult;
import io.tidemark.clusterconfig.MemberConfig;
import io.tidemark.clusterconfig.MemberConfigReader;
import io.tidemark.server.Embedding;
import io.tidemark.server.Member;
import io.tidemark.testkit.network.Network;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One member of a cluster, running or not. Its endpoints stay the same whatever becomes of it.
 * Thread-safe; methods that change something block until it is done.
 */
public final class TidemarkMember {
  private final int index;
  private final String name;
  private final String scheme;
  private final Path directory;
  private final List<String> flags;
  private final Network network;
  private final LeaseTime time;

  @GuardedBy("this")
  private @Nullable Member running;

  TidemarkMember(int index, MemberPlan plan, Network network, LeaseTime time) {
    this.index = index;
    this.name = plan.name();
    this.scheme = plan.scheme();
    this.directory = plan.directory();
    this.flags = plan.flags();
    this.network = network;
    this.time = time;
  }

  /** Number in the cluster, from 0. */
  public int index() {
    return index;
  }

  /** Name in the member list. */
  public String name() {
    return name;
  }

  /** Where clients reach it. */
  public URI clientEndpoint() {
    return URI.create(scheme + "://" + text(network.clientAddress(index)));
  }

  /** Its peer URL. */
  public URI peerEndpoint() {
    return URI.create("http://" + text(network.peerAddress(index)));
  }

  static String text(io.tidemark.clusterconfig.HostPort address) {
    return address.host() + ":" + address.port();
  }

  /** Where its data is. */
  public Path dataDirectory() {
    return directory;
  }

  /** Whether it runs; a paused member does. */
  public synchronized boolean isRunning() {
    return running != null;
  }

  /** Whether it believes that it leads; for a moment after an election two may. */
  public synchronized boolean isLeader() {
    return running != null && running.isLeader();
  }

  /** The highest term that it has heard of; 0 while it is down. */
  synchronized long term() {
    return running == null ? 0 : running.term();
  }

  /** Its id, as member lists and response headers show it. It has to run. */
  public synchronized long id() {
    return present().id();
  }

  /** The member itself, for what isn't offered here. It has to run. */
  public synchronized Member server() {
    return present();
  }

  private synchronized Member present() {
    if (running == null) {
      throw new IllegalStateException(name + " is down");
    }
    return running;
  }

  /** Starts it, without waiting until it serves; nothing happens if it runs. */
  synchronized void launch() {
    if (running != null) {
      return;
    }
    Embedding embedding =
        Embedding.plain()
            .withLeaseTime(time::nanos)
            .withPeerRoutes(asked -> network.route(index, asked));
    try {
      Member member = Member.start(config(), embedding);
      running = member;
      network.attach(index, member.clientPorts().get(0), member.peerPort());
    } catch (IOException e) {
      throw new UncheckedIOException(name + " can't start", e);
    }
  }

  private MemberConfig config() {
    ConfigResult result = MemberConfigReader.read(flags.toArray(String[]::new), Map.of());
    if (result instanceof ConfigResult.Valid valid) {
      return valid.config();
    }
    throw new IllegalArgumentException("flags of " + name + ": " + result);
  }

  /** Waits until it serves. */
  void awaitReady(Duration atMost) {
    Member member = present();
    try {
      member.ready().get(atMost.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException | ExecutionException | CancellationException e) {
      throw new IllegalStateException(name + " doesn't serve", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for " + name, e);
    }
  }

  /** Starts it and waits until it serves, which needs a majority; nothing happens if it runs. */
  public void start() {
    launch();
    awaitReady(Duration.ofMinutes(1));
  }

  /** Stops it in order: it hands its leadership over and closes its store. */
  public void stop() {
    Member member = takeDown();
    if (member != null) {
      network.resume(index);
      member.close();
      network.detach(index);
    }
  }

  /**
   * Kills it, as near to SIGKILL as can be inside one JVM. All its connections are reset in one
   * moment, before anything else happens, so that nobody hears from it any more: no hand-over, no
   * last answers. Its store isn't flushed; the next start replays the log. What differs: entries
   * that had reached its log's queue by then may still be written, though nobody was told of them.
   */
  public void kill() {
    Member member = takeDown();
    if (member != null) {
      network.detach(index);
      member.abort();
      network.resume(index);
    }
  }

  private synchronized @Nullable Member takeDown() {
    Member member = running;
    running = null;
    return member;
  }

  /** Stops it if it runs, and starts it again. */
  public void restart() {
    stop();
    start();
  }

  /**
   * Holds every byte from and to it, of clients and of members, as if the process stood still:
   * connections stay open and silent, new ones aren't answered. Unlike a stopped process it knows
   * how much time passes.
   */
  public void pause() {
    network.pause(index);
  }

  /** Ends {@link #pause}; what was held back arrives. */
  public void resume() {
    network.resume(index);
  }

  @Override
  public String toString() {
    return name;
  }
}
