package io.tidemark.raftcore;

import static io.tidemark.raftcore.MembershipTest.add;
import static io.tidemark.raftcore.MembershipTest.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.raftcore.settings.PeerMember;
import io.tidemark.statemachine.member.MemberChange;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members that lost all that their stores hadn't flushed find each other, whoever founded them. */
@Timeout(120)
final class MembersFoundAgainTest {
  private static final Duration READY = Duration.ofSeconds(30);

  @TempDir Path directory;

  @Test
  void whenTheFoundersAreGone() throws Exception {
    try (TestCluster cluster = new TestCluster(directory, 1).startAll()) {
      cluster.putNow(0, "k", "1");
      PeerMember second = cluster.newcomer(0xB0);
      change(cluster.member(0), add(second, false));
      assertTrue(cluster.join(second, cluster.founders()).awaitReady(READY));
      PeerMember third = cluster.newcomer(0xC0);
      change(cluster.member(0), add(third, false));
      PeerMember founder = cluster.founders().get(0);
      List<PeerMember> others = List.of(founder, second);
      assertTrue(cluster.join(third, others).awaitReady(READY));
      change(cluster.member(1), new MemberChange.Remove(founder.id(), true));
      TestCluster.await("the founder's farewell", () -> cluster.removed.contains(founder.id()));
      cluster.stop(0);
      long revision = cluster.putNow(1, "k", "2");
      cluster.awaitRevision(2, revision);
      cluster.abort(1);
      cluster.abort(2);
      RaftMember b = cluster.join(second, others);
      RaftMember c = cluster.join(third, others);
      assertTrue(b.awaitReady(READY));
      assertTrue(c.awaitReady(READY));
      assertEquals("2", cluster.read(1, "k"));
      assertEquals("2", cluster.read(2, "k"));
      assertEquals(List.of(), List.copyOf(cluster.faults));
    }
  }
}
