package io.tidemark.it.proxy;

import io.tidemark.it.process.Ports;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The network between members: a proxy for every ordered pair. Members are numbered as in their
 * cluster. Switches work on existing and new connections. Any thread.
 */
public final class PeerLinks implements AutoCloseable {
  private record Pair(int dialer, int listener) {}

  private final List<Integer> peerPorts;
  private final Map<Pair, LinkProxy> proxies = new LinkedHashMap<>();

  public PeerLinks(List<Integer> peerPorts) {
    this.peerPorts = List.copyOf(peerPorts);
    for (int dialer = 0; dialer < peerPorts.size(); dialer++) {
      for (int listener = 0; listener < peerPorts.size(); listener++) {
        if (dialer != listener) {
          String name = dialer + "-" + listener;
          proxies.put(
              new Pair(dialer, listener),
              new LinkProxy(name, Ports.free(), peerPorts.get(listener)));
        }
      }
    }
  }

  /** The value of {@code tidemark.peer.routes} for one member. */
  public String routesOf(int dialer) {
    List<String> routes = new ArrayList<>();
    proxies.forEach(
        (pair, proxy) -> {
          if (pair.dialer() == dialer) {
            int port = peerPorts.get(pair.listener());
            routes.add("127.0.0.1:" + port + "=127.0.0.1:" + proxy.port());
          }
        });
    return String.join(",", routes);
  }

  /** Nothing that {@code from} sends reaches {@code to}; the other way stays as it is. */
  public void cutOneWay(int from, int to) {
    oneWay(from, to, gate -> gate.open(false));
  }

  /** No byte passes between the two. */
  public void cut(int one, int other) {
    cutOneWay(one, other);
    cutOneWay(other, one);
  }

  /** Cuts a member off from all others, both ways. */
  public void isolate(int member) {
    others(member, other -> cut(member, other));
  }

  /** The member hears the others, but they don't hear it. */
  public void mute(int member) {
    others(member, other -> cutOneWay(member, other));
  }

  /** The others hear the member, but it doesn't hear them. */
  public void deafen(int member) {
    others(member, other -> cutOneWay(other, member));
  }

  /** Each chunk from {@code from} to {@code to} arrives this much later. */
  public void delay(int from, int to, Duration delay) {
    oneWay(from, to, gate -> gate.delay(delay));
  }

  /**
   * Chunks between two members, both ways, are lost with this chance and sent again after that
   * time: all that a connection shows of lost packets.
   */
  public void lose(int one, int other, double chance, Duration resend, long seed) {
    oneWay(one, other, gate -> gate.lose(chance, resend, seed));
    oneWay(other, one, gate -> gate.lose(chance, resend, seed + 1));
  }

  /** How many chunks did not pass at once so far, on all links: held back, delayed or lost. */
  public long touched() {
    return proxies.values().stream()
        .mapToLong(proxy -> proxy.forward().touched() + proxy.backward().touched())
        .sum();
  }

  /** Everything passes again, at once. */
  public void heal() {
    proxies.values().forEach(LinkProxy::healGates);
  }

  /** Ends every connection between members; they may dial again. */
  public void reset() {
    proxies.values().forEach(LinkProxy::reset);
  }

  @Override
  public void close() {
    proxies.values().forEach(LinkProxy::close);
  }

  private void oneWay(int from, int to, Consumer<Gate> change) {
    change.accept(link(from, to).forward());
    change.accept(link(to, from).backward());
  }

  private void others(int member, Consumer<Integer> action) {
    for (int other = 0; other < peerPorts.size(); other++) {
      if (other != member) {
        action.accept(other);
      }
    }
  }

  private LinkProxy link(int dialer, int listener) {
    LinkProxy proxy = proxies.get(new Pair(dialer, listener));
    if (proxy == null) {
      throw new IllegalArgumentException("no link from " + dialer + " to " + listener);
    }
    return proxy;
  }
}
