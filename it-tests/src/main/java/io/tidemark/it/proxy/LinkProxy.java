package io.tidemark.it.proxy;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Listens where one member dials another and passes bytes on, as far as its two gates allow. While
 * a gate is closed at most 64 chunks are held per connection and direction; beyond that the sender
 * feels back pressure, as on a stalled network.
 */
final class LinkProxy implements AutoCloseable {
  private static final int CHUNK_BYTES = 64 * 1024;
  private static final int CHUNKS_MAX = 64;

  /** Bytes as read; none end the stream. */
  private record Chunk(ByteString bytes, long readNanos) {}

  private final String name;
  private final ServerSocket listener;
  private final InetSocketAddress target;
  private final Gate forward = new Gate();
  private final Gate backward = new Gate();
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  LinkProxy(String name, int port, int targetPort) {
    this.name = name;
    this.target = new InetSocketAddress(InetAddress.getLoopbackAddress(), targetPort);
    try {
      this.listener = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
    } catch (IOException taken) {
      throw new UncheckedIOException("proxy port " + port, taken);
    }
    thread("accept", this::acceptAll);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** From the member that dials to the member that listens. */
  Gate forward() {
    return forward;
  }

  /** Answers, on connections that the dialing member opened. */
  Gate backward() {
    return backward;
  }

  /** Opens both ways, without delay or loss. */
  void healGates() {
    for (Gate gate : new Gate[] {forward, backward}) {
      gate.delay(Duration.ZERO);
      gate.lose(0, Duration.ZERO, 0);
      gate.open(true);
    }
  }

  /** Ends every connection there is; new ones may be made. */
  void reset() {
    sockets.forEach(LinkProxy::closeQuietly);
  }

  @Override
  public void close() {
    closed = true;
    closeQuietly(listener);
    forward.end();
    backward.end();
    reset();
  }

  private void acceptAll() {
    while (!closed) {
      try {
        Socket dialer = listener.accept();
        thread("connect", () -> connect(dialer));
      } catch (IOException ended) {
        return;
      }
    }
  }

  private void connect(Socket dialer) {
    Socket onward = new Socket();
    sockets.add(dialer);
    sockets.add(onward);
    try {
      onward.connect(target, 2_000);
      dialer.setTcpNoDelay(true);
      onward.setTcpNoDelay(true);
      pump("out", dialer, onward, forward);
      pump("back", onward, dialer, backward);
    } catch (IOException refused) {
      end(dialer, onward);
    }
    if (closed) {
      end(dialer, onward);
    }
  }

  private void pump(String direction, Socket from, Socket to, Gate gate) {
    BlockingQueue<Chunk> held = new ArrayBlockingQueue<>(CHUNKS_MAX);
    Thread writer = thread(direction + "-write", () -> writeAll(held, from, to, gate));
    thread(direction + "-read", () -> readAll(from, held, writer));
  }

  private static void readAll(Socket from, BlockingQueue<Chunk> held, Thread writer) {
    byte[] buffer = new byte[CHUNK_BYTES];
    try {
      try (InputStream in = from.getInputStream()) {
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          held.put(new Chunk(ByteString.copyFrom(buffer, 0, n), System.nanoTime()));
        }
      } catch (IOException ended) {
        // Told to the other side below.
      }
      held.put(new Chunk(ByteString.EMPTY, System.nanoTime()));
    } catch (InterruptedException ended) {
      writer.interrupt();
    }
  }

  private void writeAll(BlockingQueue<Chunk> held, Socket from, Socket to, Gate gate) {
    try {
      OutputStream out = to.getOutputStream();
      for (Chunk chunk = held.take(); !chunk.bytes().isEmpty(); chunk = held.take()) {
        gate.pass(chunk.readNanos());
        chunk.bytes().writeTo(out);
      }
      gate.pass(System.nanoTime());
    } catch (IOException | InterruptedException ended) {
      // Both sockets are closed below, which ends the reader as well.
    } finally {
      end(from, to);
      held.clear();
    }
  }

  private void end(Socket one, Socket other) {
    closeQuietly(one);
    closeQuietly(other);
    sockets.remove(one);
    sockets.remove(other);
  }

  private Thread thread(String role, Runnable body) {
    Thread thread = new Thread(body, "it-proxy-" + name + "-" + role);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static void closeQuietly(AutoCloseable resource) {
    try {
      resource.close();
    } catch (Exception alreadyClosed) {
      // Nothing is left to release.
    }
  }
}
