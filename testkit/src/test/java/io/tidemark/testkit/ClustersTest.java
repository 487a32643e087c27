package io.tidemark.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.options.PutOption;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchEvent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ClustersTest {
  private static final String PUTS =
      "grpc_server_handled_total{grpc_type=\"unary\",grpc_service=\"etcdserverpb.KV\","
          + "grpc_method=\"Put\",grpc_code=\"OK\"}";

  @Test
  void onePartitionedClusterLeavesAnotherAlone() throws Exception {
    try (TidemarkCluster sick = TidemarkCluster.builder().withNodes(3).withPrefix("sick").start();
        TidemarkCluster well = TidemarkCluster.builder().withNodes(3).withPrefix("well").start()) {
      TidemarkMember leader = well.awaitLeader();
      long term = leader.term();
      TidemarkMember cut = sick.awaitLeader();
      sick.partition(); // everybody alone
      try (Keys keys = Keys.at(leader)) {
        for (int i = 0; i < 5; i++) {
          keys.put("well", String.valueOf(i));
        }
      }
      sick.heal();
      sick.isolate(cut);
      TidemarkMember next = sick.awaitLeaderOtherThan(cut);
      try (Keys keys = Keys.at(next)) {
        keys.put("sick", "1");
        keys.put("sick", "2");
      }
      for (TidemarkMember member : sick.members()) {
        assertTrue(Pages.metric(member, "etcd_disk_wal_fsync_duration_seconds_count") > 0);
      }
      assertTrue(leader.isLeader());
      assertEquals(term, leader.term());
      assertTrue(next.term() > 1);
      assertEquals(5, Pages.metric(leader, PUTS));
      assertEquals(2, Pages.metric(next, PUTS));
      assertEquals(0, Pages.metric(cut, PUTS));
    }
  }

  @Test
  void tlsByCertificatesOfItsOwn() throws Exception {
    try (TidemarkCluster cluster =
        TidemarkCluster.builder().withPrefix("tls").withSsl(true).start()) {
      assertEquals("https", cluster.clientEndpoints().get(0).getScheme());
      Path ca = cluster.certificates().orElseThrow().caFile();
      try (Client client =
              Client.builder()
                  .endpoints(cluster.clientEndpoints())
                  .authority("localhost")
                  .sslContext(tls -> tls.trustManager(ca.toFile()))
                  .build();
          TidemarkCluster other = TidemarkCluster.builder().withSsl(true).build()) {
        client.getKVClient().put(Keys.bytes("k"), Keys.bytes("v")).get(30, TimeUnit.SECONDS);
        assertFalse(Files.mismatch(ca, other.certificates().orElseThrow().caFile()) < 0);
      }
    }
  }

  @Test
  void clientsCanBeAskedForCertificates() throws Exception {
    try (TidemarkCluster cluster =
        TidemarkCluster.builder()
            .withPrefix("mutual")
            .withSsl(true)
            .withAdditionalArgs("--client-cert-auth")
            .start()) {
      TestCertificates files = cluster.certificates().orElseThrow();
      try (Client client =
          Client.builder()
              .endpoints(cluster.clientEndpoints())
              .authority("localhost")
              .sslContext(
                  tls ->
                      tls.trustManager(files.caFile().toFile())
                          .keyManager(
                              files.clientCertFile().toFile(), files.clientKeyFile().toFile()))
              .build()) {
        client.getKVClient().put(Keys.bytes("k"), Keys.bytes("v")).get(30, TimeUnit.SECONDS);
      }
    }
  }

  @Test
  void leasesRunOutWhenTheirTimeIsMovedOn() throws Exception {
    try (TidemarkCluster cluster = TidemarkCluster.builder().withPrefix("lease").start();
        Keys keys = Keys.at(cluster)) {
      long lease = keys.client.getLeaseClient().grant(3600).get(30, TimeUnit.SECONDS).getID();
      CompletableFuture<WatchEvent> gone = new CompletableFuture<>();
      keys.client
          .getWatchClient()
          .watch(
              Keys.bytes("leased"),
              WatchOption.builder().withNoPut(true).build(),
              events -> gone.complete(events.getEvents().get(0)));
      PutOption leased = PutOption.builder().withLeaseId(lease).build();
      keys.client
          .getKVClient()
          .put(Keys.bytes("leased"), Keys.bytes("v"), leased)
          .get(30, TimeUnit.SECONDS);
      cluster.leaseTime().advance(Duration.ofMinutes(59));
      assertEquals(List.of("v"), keys.get("leased"));
      cluster.leaseTime().advance(Duration.ofMinutes(2));
      assertEquals(WatchEvent.EventType.DELETE, gone.get(30, TimeUnit.SECONDS).getEventType());
      assertEquals(List.of(), keys.get("leased"));
    }
  }

  @Test
  void furtherFlagsReachTheMembersAndWrongOnesAreTold() throws Exception {
    ClusterBuilder wrong = TidemarkCluster.builder().withAdditionalArgs("--max-txn-ops=many");
    IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, wrong::start);
    assertTrue(String.valueOf(refused.getMessage()).contains("max-txn-ops"), refused::toString);
    try (TidemarkCluster cluster =
        TidemarkCluster.builder().withAdditionalArgs("--enable-grpc-gateway=false").start()) {
      String answer = Pages.post(cluster.member(0), "/v3/kv/range", "{\"key\":\"YQ==\"}");
      assertTrue(answer.startsWith("HTTP/1.1 404"), answer);
    }
  }

  @Test
  void dataStaysInADirectoryThatWasNamed(@TempDir Path directory) throws Exception {
    Path data = directory.resolve("kept");
    Path gone;
    try (TidemarkCluster cluster = TidemarkCluster.builder().withDataDirectory(data).start();
        Keys keys = Keys.at(cluster)) {
      keys.put("a", "1");
      gone = cluster.member(0).dataDirectory();
    }
    assertTrue(Files.isDirectory(gone));
    try (TidemarkCluster temporary = TidemarkCluster.builder().start()) {
      gone = temporary.member(0).dataDirectory();
      assertTrue(Files.isDirectory(gone));
    }
    assertFalse(Files.exists(gone));
  }
}
