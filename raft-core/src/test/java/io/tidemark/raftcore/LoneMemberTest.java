package io.tidemark.raftcore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of one. */
class LoneMemberTest {
  @TempDir Path directory;

  @Test
  void writesReadsAndRestarts() throws Exception {
    try (TestCluster cluster = new TestCluster(directory, 1).startAll()) {
      assertEquals(2, cluster.putNow(0, "a", "1"));
      assertEquals("1", cluster.read(0, "a"));
      RaftStatus status = cluster.member(0).status();
      assertEquals(status.memberId(), status.leaderId());
      cluster.stop(0);
      cluster.startAll();
      assertEquals("1", cluster.read(0, "a"));
      assertEquals(3, cluster.putNow(0, "a", "2"));
      assertTrue(cluster.member(0).dbSize() > 0);
      assertEquals(List.of(), List.copyOf(cluster.faults));
    }
  }
}
