package io.tidemark.raftcore.metrics;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Bytes of messages between this member and each of the others, and what didn't get through; since
 * the start. Without what HTTP/2 and TLS add. Thread-safe.
 */
public final class PeerTraffic {
  private final Map<String, Peer> peers = new ConcurrentHashMap<>();

  /** What went to and came from one member. */
  public static final class Peer {
    private final LongAdder sent = new LongAdder();
    private final LongAdder received = new LongAdder();
    private final LongAdder unsent = new LongAdder();

    private Peer() {}

    /** A message of so many bytes goes there. */
    public void sends(long bytes) {
      sent.add(bytes);
    }

    /** A message of so many bytes came from there. */
    public void receives(long bytes) {
      received.add(bytes);
    }

    /** A message got no answer. */
    public void failsToSend() {
      unsent.increment();
    }

    /** Bytes sent there. */
    public long sentBytes() {
      return sent.sum();
    }

    /** Bytes received from there. */
    public long receivedBytes() {
      return received.sum();
    }

    /** Messages without an answer. */
    public long failures() {
      return unsent.sum();
    }
  }

  /** The counters of a member, by its Ratis id, which is its id in hexadecimal digits. */
  public Peer peer(String id) {
    Peer known = peers.get(id);
    return known != null ? known : peers.computeIfAbsent(id, fresh -> new Peer());
  }

  /** The members that there was anything with. */
  public Set<String> ids() {
    return Set.copyOf(peers.keySet());
  }
}
