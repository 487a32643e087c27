package io.tidemark.raftcore;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import io.tidemark.raftcore.propose.ProposalResult;
import io.tidemark.raftcore.settings.RaftLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands as large as they come, many at once, depose nobody and use nothing up. */
class LargeCommandsTest {
  private static final int MAX = 5 << 19;

  /** Long enough for a busy disk: this is about sizes, not about speed. */
  private static final Duration CALM = Duration.ofSeconds(4);

  @TempDir Path directory;

  @Test
  void largestCommandsInParallelKeepTheLeader() throws Exception {
    RaftLimits defaults = RaftLimits.defaults(MAX);
    try (TestCluster cluster = new TestCluster(directory, 3, MAX, defaults, CALM).startAll()) {
      int leader = cluster.awaitLeader(-1);
      long term = cluster.member(leader).status().term();
      ByteString largest = ByteString.copyFrom(new byte[MAX - 100]);
      List<CompletableFuture<ProposalResult>> puts = new ArrayList<>();
      for (int n = 0; n < 64; n++) {
        puts.add(cluster.put(n % 3, "k" + n % 4, largest));
      }
      int applied = 0;
      for (CompletableFuture<ProposalResult> put : puts) {
        if (put.get(30, TimeUnit.SECONDS) instanceof ProposalResult.Applied) {
          applied++;
        }
      }
      assertEquals(term, cluster.member(leader).status().term(), applied + " were applied");
      for (int n = 0; n < 20; n++) {
        cluster.putNow(n % 3, "small", "s" + n);
      }
      assertEquals(term, cluster.member(leader).status().term());
      assertEquals(List.of(), List.copyOf(cluster.faults));
    }
  }
}
