package io.tidemark.testkit.network;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.tidemark.clusterconfig.HostPort;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The network of one cluster: a door for clients and a door for peers before each member, which
 * keep their ports while the member is down, and a link for every ordered pair of members. Members
 * are numbered from 0. Thread-safe.
 */
public final class Network implements AutoCloseable {
  private static final String HOST = InetAddress.getLoopbackAddress().getHostAddress();
  private static final long STOP_SECONDS = 5;

  private record Way(int from, int to) {}

  private final int size;
  private final EventLoopGroup loop;
  private final Relay[] clientDoors;
  private final Relay[] peerDoors;
  private final Relay[][] links;

  @GuardedBy("this")
  private final Set<Way> cut = new HashSet<>();

  @GuardedBy("this")
  private final Set<Integer> paused = new HashSet<>();

  /**
   * Opens all doors; nobody is behind them yet.
   *
   * @param name of the cluster, for the thread's name
   */
  public Network(String name, int size) {
    this.size = size;
    this.loop =
        new MultiThreadIoEventLoopGroup(
            1,
            new DefaultThreadFactory("tidemark-" + name + "-network", true),
            NioIoHandler.newFactory());
    this.clientDoors = new Relay[size];
    this.peerDoors = new Relay[size];
    this.links = new Relay[size][size];
    for (int i = 0; i < size; i++) {
      clientDoors[i] = new Relay(loop);
      peerDoors[i] = new Relay(loop);
      for (int j = 0; j < size; j++) {
        if (i != j) {
          links[i][j] = new Relay(loop);
        }
      }
    }
  }

  /** Where clients reach a member. */
  public HostPort clientAddress(int member) {
    return new HostPort(HOST, clientDoors[member].port());
  }

  /** What a member's peer URL says. */
  public HostPort peerAddress(int member) {
    return new HostPort(HOST, peerDoors[member].port());
  }

  /** Where member {@code dialer} dials when a peer URL has the address {@code asked}. */
  public HostPort route(int dialer, HostPort asked) {
    for (int member = 0; member < size; member++) {
      if (member != dialer && peerAddress(member).equals(asked)) {
        return new HostPort(HOST, links[dialer][member].port());
      }
    }
    return asked;
  }

  /** A member runs and listens on these ports. */
  public void attach(int member, int clientPort, int peerPort) {
    clientDoors[member].target(clientPort);
    peerDoors[member].target(peerPort);
    for (int other = 0; other < size; other++) {
      if (other != member) {
        links[other][member].target(peerPort);
      }
    }
  }

  /** A member is down from this moment on: all its connections break, and no new ones are made. */
  public void detach(int member) {
    clientDoors[member].detach();
    peerDoors[member].detach();
    for (int other = 0; other < size; other++) {
      if (other != member) {
        links[other][member].detach();
        links[member][other].breakAll();
      }
    }
  }

  /** Nothing that {@code from} sends reaches {@code to}; the other way stays as it is. */
  public synchronized void cutOneWay(int from, int to) {
    cut.add(new Way(from, to));
    setGates();
  }

  /** No byte passes between members of different groups; whoever is in none is alone. */
  public synchronized void partition(Iterable<Set<Integer>> groups) {
    cut.clear();
    for (int from = 0; from < size; from++) {
      for (int to = 0; to < size; to++) {
        if (from != to && !together(groups, from, to)) {
          cut.add(new Way(from, to));
        }
      }
    }
    setGates();
  }

  private static boolean together(Iterable<Set<Integer>> groups, int one, int other) {
    for (Set<Integer> group : groups) {
      if (group.contains(one) && group.contains(other)) {
        return true;
      }
    }
    return false;
  }

  /** All members hear each other again, but for those that are paused. */
  public synchronized void heal() {
    cut.clear();
    setGates();
  }

  /** Nothing passes from or to a member, whoever is at the other end. */
  public synchronized void pause(int member) {
    paused.add(member);
    setGates();
  }

  /** Ends {@link #pause}; what was held back arrives. */
  public synchronized void resume(int member) {
    paused.remove(member);
    setGates();
  }

  public synchronized boolean isPaused(int member) {
    return paused.contains(member);
  }

  @GuardedBy("this")
  private void setGates() {
    for (int i = 0; i < size; i++) {
      boolean runs = !paused.contains(i);
      clientDoors[i].gates(runs, runs);
      peerDoors[i].gates(runs, runs);
      for (int j = 0; j < size; j++) {
        if (i != j) {
          links[i][j].gates(passes(i, j), passes(j, i));
        }
      }
    }
  }

  @GuardedBy("this")
  private boolean passes(int from, int to) {
    return !paused.contains(from) && !paused.contains(to) && !cut.contains(new Way(from, to));
  }

  /** Breaks every connection, frees every port and ends the thread. */
  @Override
  public void close() {
    for (int i = 0; i < size; i++) {
      clientDoors[i].close();
      peerDoors[i].close();
      for (int j = 0; j < size; j++) {
        if (i != j) {
          links[i][j].close();
        }
      }
    }
    loop.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS)
        .awaitUninterruptibly(STOP_SECONDS, TimeUnit.SECONDS);
  }
}
