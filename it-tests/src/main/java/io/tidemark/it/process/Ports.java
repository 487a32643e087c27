package io.tidemark.it.process;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/**
 * Hands out free loopback ports, below the range that the kernel takes for outgoing connections, so
 * that a port stays free while its member is down. The range is {@code it.ports} (25000-25999
 * unless told). Any thread.
 */
public final class Ports {
  private static final String RANGE = System.getProperty("it.ports", "25000-25999");
  private static final int FIRST = Integer.parseInt(RANGE.substring(0, RANGE.indexOf('-')));
  private static final int LAST = Integer.parseInt(RANGE.substring(RANGE.indexOf('-') + 1));

  @GuardedBy("Ports.class")
  private static int next = FIRST + (int) (ProcessHandle.current().pid() * 37 % (LAST - FIRST + 1));

  private Ports() {}

  /** A port nobody listens on now and that this JVM has not handed out lately. */
  public static synchronized int free() {
    for (int tried = FIRST; tried <= LAST; tried++) {
      int port = next;
      next = next == LAST ? FIRST : next + 1;
      if (isFree(port)) {
        return port;
      }
    }
    throw new IllegalStateException("no free port in " + RANGE);
  }

  /** Several of them, all different. */
  public static List<Integer> free(int count) {
    List<Integer> ports = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ports.add(free());
    }
    return ports;
  }

  /** The first of {@code count} adjacent free ports. */
  public static synchronized int block(int count) {
    for (int tried = FIRST; tried <= LAST; tried++) {
      int base = free();
      boolean all = base + count - 1 <= LAST;
      for (int port = base + 1; all && port < base + count; port++) {
        all = isFree(port);
      }
      if (all) {
        next = base + count > LAST ? FIRST : base + count;
        return base;
      }
    }
    throw new IllegalStateException("no " + count + " adjacent free ports in " + RANGE);
  }

  private static boolean isFree(int port) {
    try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return probe.isBound();
    } catch (IOException taken) {
      return false;
    }
  }
}
