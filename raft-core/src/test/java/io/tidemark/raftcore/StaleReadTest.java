package io.tidemark.raftcore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.google.protobuf.ByteString;
import io.tidemark.raftcore.read.BarrierResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A leader that is cut off answers nothing until it hears of the others again. */
class StaleReadTest {
  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCutOffLeaderLetsNoBarrierPass(boolean underWrites) throws Exception {
    try (TestCluster cluster = new TestCluster(directory, 3).startAll()) {
      int old = cluster.awaitLeader(-1);
      cluster.putNow(old, "k", "v1");
      assertEquals("v1", cluster.read(old, "k"));
      cluster.isolate(old);
      List<CompletableFuture<BarrierResult>> barriers = new ArrayList<>();
      for (int n = 0; n < 20; n++) {
        barriers.add(cluster.member(old).readBarrier());
        if (underWrites) {
          var unused = cluster.put(old, "noise", ByteString.copyFromUtf8("n" + n));
        }
      }
      int fresh = cluster.awaitLeader(old);
      cluster.putNow(fresh, "k", "v2");
      for (int n = 0; n < 20; n++) {
        barriers.add(cluster.member(old).readBarrier());
      }
      TestCluster.await(
          "the old leader to step down",
          () -> {
            RaftStatus status = cluster.member(old).status();
            return status.leaderId() != status.memberId();
          });
      for (CompletableFuture<BarrierResult> barrier : barriers) {
        assertFalse(
            barrier.isDone() && barrier.join() instanceof BarrierResult.Passed,
            "a cut-off leader passed a barrier");
      }
      cluster.heal();
      for (CompletableFuture<BarrierResult> barrier : barriers) {
        if (barrier.get(20, TimeUnit.SECONDS) instanceof BarrierResult.Passed) {
          assertEquals("v2", cluster.local(old, "k"));
        }
      }
      assertEquals("v2", cluster.read(old, "k"));
    }
  }
}
