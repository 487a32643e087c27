package io.tidemark.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(120)
class FaultsTest {
  @RegisterExtension
  static final TidemarkClusterExtension extension =
      new TidemarkClusterExtension(TidemarkCluster.builder().withNodes(3).withPrefix("faults"));

  private final TidemarkCluster cluster = extension.cluster();

  @AfterEach
  void everybodyIsWell() {
    cluster.heal();
    cluster.members().forEach(TidemarkMember::resume);
    cluster.start();
  }

  @Test
  void writesGoOnWithoutAKilledLeaderAndItComesBack() throws Exception {
    try (Keys keys = Keys.at(cluster)) {
      keys.put("killed", "before");
      TidemarkMember leader = cluster.awaitLeader();
      URI endpoint = leader.clientEndpoint();
      leader.kill();
      assertFalse(leader.isRunning());
      keys.put("killed", "meanwhile");
      leader.start();
      assertEquals(endpoint, leader.clientEndpoint());
      try (Keys back = Keys.at(leader)) {
        assertEquals(List.of("meanwhile"), back.get("killed"));
      }
    }
  }

  @Test
  void restartKeepsDataAndEndpoints() throws Exception {
    List<URI> endpoints = cluster.clientEndpoints();
    try (Keys keys = Keys.at(cluster)) {
      keys.put("restarted", "kept");
      cluster.restart();
      assertEquals(endpoints, cluster.clientEndpoints());
      assertEquals(List.of("kept"), keys.get("restarted"));
    }
  }

  @Test
  void allKilledAtOnceKeepWhatWasAnswered() throws Exception {
    try (Keys keys = Keys.at(cluster)) {
      keys.put("all-killed", "kept");
      cluster.members().forEach(TidemarkMember::kill);
      cluster.start();
      assertEquals(List.of("kept"), keys.get("all-killed"));
    }
  }

  @Test
  void aPausedMemberIsSilentUntilItGoesOn() throws Exception {
    TidemarkMember leader = cluster.awaitLeader();
    TidemarkMember paused = cluster.member(leader.index() == 0 ? 1 : 0);
    try (Keys one = Keys.at(paused);
        Keys others = Keys.at(leader)) {
      one.put("paused", "before");
      paused.pause();
      CompletableFuture<List<String>> asked = one.ask("paused", true);
      assertThrows(TimeoutException.class, () -> asked.get(300, TimeUnit.MILLISECONDS));
      others.put("paused", "meanwhile");
      paused.resume();
      assertEquals(1, asked.get(30, TimeUnit.SECONDS).size());
      assertEquals(List.of("meanwhile"), one.get("paused"));
    }
  }

  @Test
  void aLeaderThatIsCutOffIsReplacedAndLearnsOfIt() throws Exception {
    TidemarkMember former = cluster.awaitLeader();
    try (Keys alone = Keys.at(former)) {
      alone.put("cut", "before");
      cluster.isolate(former);
      TidemarkMember next = cluster.awaitLeaderOtherThan(former);
      assertNotEquals(former, next);
      try (Keys majority = Keys.at(next)) {
        majority.put("cut", "meanwhile");
      }
      assertEquals(List.of("before"), alone.local("cut"));
      cluster.heal();
      assertEquals(List.of("meanwhile"), alone.get("cut"));
    }
  }

  @Test
  void oneDirectionCanBeCutAlone() throws Exception {
    TidemarkMember leader = cluster.awaitLeader();
    TidemarkMember deaf = cluster.member(leader.index() == 0 ? 1 : 0);
    try (Keys keys = Keys.at(leader);
        Keys behind = Keys.at(deaf)) {
      keys.put("deaf", "before");
      assertEquals(List.of("before"), behind.get("deaf"));
      cluster.cutOneWay(leader, deaf);
      keys.put("deaf", "meanwhile");
      assertEquals(List.of("before"), behind.local("deaf"));
      cluster.heal();
      assertEquals(List.of("meanwhile"), behind.get("deaf"));
    }
  }
}
