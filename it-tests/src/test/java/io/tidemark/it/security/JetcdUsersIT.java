package io.tidemark.it.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.auth.Permission;
import io.etcd.jetcd.watch.WatchEvent;
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.support.Clusters;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** jetcd with a user and a password: it manages users, is refused, and logs in again. */
@Tag("security")
class JetcdUsersIT {
  private static final long LIMIT_SECONDS = 30;

  @RegisterExtension final Clusters clusters = Clusters.perTest();

  private static ByteSequence bytes(String text) {
    return ByteSequence.from(text, UTF_8);
  }

  private static <T> T answer(CompletableFuture<T> future) throws Exception {
    return future.get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  private Client client(ProcessCluster cluster, int member, String user) {
    return clusters.closing(
        Client.builder()
            .endpoints("http://" + cluster.endpoint(member))
            .user(bytes(user))
            .password(bytes(user))
            .build());
  }

  private static void denied(CompletableFuture<?> future) {
    ExecutionException refused = assertThrows(ExecutionException.class, () -> answer(future));
    assertTrue(refused.toString().contains("etcdserver: permission denied"), refused::toString);
  }

  @Test
  void usersAndRoles() throws Exception {
    ProcessCluster cluster = clusters.start(ClusterPlan.of(3).flags("--bcrypt-cost=4"));
    MemberClient raw = cluster.client(0);
    Accounts.user(raw, "root", "root");
    Accounts.enable(raw);

    Client root = client(cluster, 0, "root");
    answer(root.getAuthClient().roleAdd(bytes("keys")));
    answer(
        root.getAuthClient()
            .roleGrantPermission(bytes("keys"), bytes("k"), bytes("l"), Permission.Type.READWRITE));
    answer(root.getAuthClient().userAdd(bytes("alice"), bytes("alice")));
    answer(root.getAuthClient().userGrantRole(bytes("alice"), bytes("keys")));
    assertEquals("[alice, root]", answer(root.getAuthClient().userList()).getUsers().toString());
    assertEquals(
        "[keys]", answer(root.getAuthClient().userGet(bytes("alice"))).getRoles().toString());

    for (int member = 0; member < 3; member++) {
      Client alice = client(cluster, member, "alice");
      KV kv = alice.getKVClient();
      BlockingQueue<WatchEvent> events = new ArrayBlockingQueue<>(16);
      try (Watch.Watcher watcher =
          alice
              .getWatchClient()
              .watch(bytes("k" + member), response -> events.addAll(response.getEvents()))) {
        answer(kv.put(bytes("k" + member), bytes("1")));
        WatchEvent event = events.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
        assertEquals("1", event.getKeyValue().getValue().toString(UTF_8));
        assertEquals(false, watcher.isClosed());
      }
      denied(kv.put(bytes("x"), bytes("1")));
      denied(kv.get(bytes("x")));
      denied(alice.getAuthClient().userList());

      // All tokens end; the client finds out and logs in again.
      Accounts.disable(raw.login("root", "root"));
      Accounts.enable(raw);
      answer(kv.put(bytes("k"), bytes("2")));
      assertEquals(1, answer(kv.get(bytes("k"))).getCount());
    }
  }
}
