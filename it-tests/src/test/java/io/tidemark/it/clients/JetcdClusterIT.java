package io.tidemark.it.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.Cluster;
import io.etcd.jetcd.cluster.Member;
import io.etcd.jetcd.cluster.MemberAddResponse;
import io.tidemark.it.history.HistoryChecker;
import io.tidemark.it.history.Operation;
import io.tidemark.it.history.Workload;
import io.tidemark.it.process.Await;
import io.tidemark.it.process.Patience;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.rig.Replicas;
import io.tidemark.it.support.Clusters;
import io.tidemark.judge.EventLog;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The cluster client of jetcd: a member's whole life under writes, and what is refused. */
@Tag("clients")
class JetcdClusterIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @RegisterExtension final Clusters clusters = Clusters.perTest();

  private static <T> T answer(CompletableFuture<T> future) throws Exception {
    return future.get(Patience.stretch(LIMIT).toMillis(), TimeUnit.MILLISECONDS);
  }

  private static void refused(String why, CompletableFuture<?> future) {
    ExecutionException refusal = assertThrows(ExecutionException.class, () -> answer(future));
    assertTrue(refusal.toString().contains(why), refusal::toString);
  }

  private static List<Member> list(Cluster through) throws Exception {
    return answer(through.listMember()).getMembers();
  }

  private static boolean promoted(Cluster through, long id) {
    try {
      var unused = answer(through.promoteMember(id));
      return true;
    } catch (Exception notYet) {
      assertTrue(
          notYet.toString().contains("can only promote a learner member which is in sync"),
          notYet::toString);
      return false;
    }
  }

  @Test
  void aMembersLife() throws Exception {
    ProcessCluster cluster = clusters.start(ClusterPlan.of(1));
    Client client =
        clusters.closing(Client.builder().endpoints("http://" + cluster.endpoint(0)).build());
    ByteSequence key = ByteSequence.from("jetcd", StandardCharsets.UTF_8);
    answer(client.getKVClient().put(key, key));
    try (Workload load = Workload.start("life", List.of(cluster.client(0)), 2, 5, 1)) {
      load.awaitChanges(20, LIMIT);
      live(cluster, client, key);
      load.awaitChanges(20, LIMIT);
      List<Operation> history = load.stop();
      long revision = cluster.client(0).get("health").answer().getHeader().getRevision();
      EventLog log = new EventLog(Replicas.history(cluster.client(0), revision));
      assertEquals(List.of(), HistoryChecker.check(log, history, "key"));
    }
  }

  private void live(ProcessCluster cluster, Client client, ByteSequence key) throws Exception {
    Cluster members = client.getClusterClient();
    Member founder = list(members).get(0);
    assertEquals("m0", founder.getName());
    URI founderUrl = cluster.member(0).spec().peerUrl();
    assertEquals(List.of(founderUrl), founder.getPeerURIs());
    assertEquals(List.of(cluster.member(0).spec().clientUrl()), founder.getClientURIs());

    int fresh = cluster.newcomer();
    URI url = cluster.member(fresh).spec().peerUrl();
    refused("etcdserver: Peer URLs already exists", members.addMember(List.of(founderUrl)));
    MemberAddResponse added = answer(members.addMember(List.of(url), true));
    long id = added.getMember().getId();
    assertTrue(added.getMember().isLearner());
    assertEquals(2, added.getMembers().size());
    refused(
        "etcdserver: too many learner members in cluster",
        members.addMember(List.of(URI.create("http://127.0.0.1:1")), true));
    refused(
        "etcdserver: can only promote a learner member which is in sync with leader",
        members.promoteMember(id));
    cluster.join(fresh, "m0=" + founderUrl + ",m1=" + url);
    Await.until("the learner in sync", LIMIT, () -> promoted(members, id));
    cluster.awaitServing(fresh);
    Member voter = list(members).stream().filter(m -> m.getId() == id).findFirst().orElseThrow();
    assertFalse(voter.isLearner());
    assertEquals("m1", voter.getName());
    refused("etcdserver: can only promote a learner member", members.promoteMember(id));

    URI second = URI.create("http://localhost:" + url.getPort());
    assertEquals(2, answer(members.updateMember(id, List.of(url, second))).getMembers().size());
    assertEquals(
        List.of(url, second),
        list(members).stream()
            .filter(m -> m.getId() == id)
            .findFirst()
            .orElseThrow()
            .getPeerURIs());

    try (Client other = Client.builder().endpoints("http://" + cluster.endpoint(fresh)).build()) {
      assertEquals(2, list(other.getClusterClient()).size());
      assertEquals(1, answer(other.getKVClient().get(key)).getCount());
    }
    assertEquals(1, answer(members.removeMember(id)).getMembers().size());
    refused("etcdserver: member not found", members.removeMember(id));
    assertEquals(0, cluster.member(fresh).awaitExit(Patience.stretch(LIMIT)));
    assertEquals(List.of("m0"), list(members).stream().map(Member::getName).toList());
    answer(client.getKVClient().put(key, key));
  }
}
