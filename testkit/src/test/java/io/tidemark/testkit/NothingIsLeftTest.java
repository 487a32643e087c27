package io.tidemark.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What clusters leave behind in the JVM that they ran in. */
class NothingIsLeftTest {
  private static final String PUT = "{\"key\":\"YQ==\",\"value\":\"MQ==\"}";

  /** Classes, native libraries and what libraries set up once for all come first. */
  @BeforeAll
  static void warm() throws IOException {
    comeAndGo(3);
  }

  private static List<URI> comeAndGo(int nodes) throws IOException {
    try (TidemarkCluster cluster =
        TidemarkCluster.builder().withNodes(nodes).withPrefix("brief").start()) {
      assertTrue(Pages.post(cluster.member(0), "/v3/kv/put", PUT).startsWith("HTTP/1.1 200"));
      List<URI> ports = new ArrayList<>(cluster.clientEndpoints());
      ports.addAll(cluster.peerEndpoints());
      return ports;
    }
  }

  private static void assertNothingIsLeft(JvmTraces before, int files) {
    JvmTraces.await(
        "threads left: " + JvmTraces.threadsSince(before),
        () -> JvmTraces.threadsSince(before).isEmpty());
    JvmTraces.await(
        "files left: " + JvmTraces.openFiles() + " after " + files,
        () -> JvmTraces.openFiles() <= files);
    JvmTraces after = JvmTraces.now();
    assertEquals(before.hooks(), after.hooks());
    assertEquals(before.properties(), after.properties());
    assertEquals(Set.of(), after.beans());
  }

  @Test
  @Timeout(120)
  void tenClustersLeaveNoThreadNoPortAndNoHandle() throws IOException {
    JvmTraces before = JvmTraces.now();
    List<URI> ports = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      ports.addAll(comeAndGo(1));
    }
    ports.addAll(comeAndGo(3));
    assertNothingIsLeft(before, before.files());
    for (URI port : ports) {
      assertThrows(
          IOException.class,
          () -> new Socket(port.getHost(), port.getPort()).close(),
          port::toString);
    }
  }

  @Test
  @Tag("long")
  @Timeout(900)
  void aHundredClustersLeaveMemoryThreadsAndFilesAsTheyWere() throws IOException {
    for (int i = 0; i < 20; i++) {
      comeAndGo(3);
    }
    JvmTraces before = JvmTraces.now();
    long heap = JvmTraces.heapMib();
    long direct = JvmTraces.directMib();
    long resident = JvmTraces.residentMib();
    for (int i = 0; i < 100; i++) {
      comeAndGo(i % 10 == 0 ? 3 : 1);
      if (i % 10 == 9) {
        System.out.printf(
            "after %d clusters: heap %d MiB, direct %d MiB, resident %d MiB, %d threads, %d files%n",
            i + 1,
            JvmTraces.heapMib(),
            JvmTraces.directMib(),
            JvmTraces.residentMib(),
            Thread.activeCount(),
            JvmTraces.openFiles());
      }
    }
    assertNothingIsLeft(before, before.files());
    assertTrue(JvmTraces.heapMib() <= heap + 8, "heap " + heap + " then " + JvmTraces.heapMib());
    assertTrue(
        JvmTraces.directMib() <= direct + 8, "direct " + direct + " then " + JvmTraces.directMib());
    assertTrue(
        JvmTraces.residentMib() <= resident + 64,
        "resident " + resident + " then " + JvmTraces.residentMib());
  }
}
