package io.tidemark.it.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.tidemark.api.etcdserverpb.AuthRoleGetRequest;
import io.tidemark.api.etcdserverpb.AuthRoleListRequest;
import io.tidemark.api.etcdserverpb.AuthStatusRequest;
import io.tidemark.api.etcdserverpb.AuthStatusResponse;
import io.tidemark.api.etcdserverpb.AuthUserGetRequest;
import io.tidemark.api.etcdserverpb.AuthUserListRequest;
import io.tidemark.api.etcdserverpb.AuthenticateRequest;
import io.tidemark.it.client.Attempt;
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.process.Await;
import io.tidemark.it.process.Patience;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.rig.Replicas;
import io.tidemark.it.support.Clusters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Users and roles are the same everywhere and for good, whatever happens to members. */
@Tag("security")
class UsersSurviveIT {
  private static final Duration LIMIT = Patience.stretch(Duration.ofSeconds(60));

  @RegisterExtension final Clusters clusters = Clusters.perTest();

  private static void setUp(MemberClient client) {
    Accounts.role(client, "keys", "k", "l");
    Accounts.user(client, "alice", "keys");
    Accounts.user(client, "bob");
    Accounts.user(client, "root", "root");
    Accounts.enable(client);
  }

  /** All of it as one member tells it, from its own copy behind a barrier. */
  private static String told(MemberClient client) {
    AuthStatusResponse status = client.auth().authStatus(AuthStatusRequest.getDefaultInstance());
    StringBuilder told =
        new StringBuilder()
            .append(status.getEnabled())
            .append(' ')
            .append(status.getAuthRevision());
    for (String user :
        client.auth().userList(AuthUserListRequest.getDefaultInstance()).getUsersList()) {
      told.append("\n")
          .append(user)
          .append(' ')
          .append(
              client
                  .auth()
                  .userGet(AuthUserGetRequest.newBuilder().setName(user).build())
                  .getRolesList());
    }
    for (String role :
        client.auth().roleList(AuthRoleListRequest.getDefaultInstance()).getRolesList()) {
      told.append("\n")
          .append(role)
          .append(' ')
          .append(
              client
                  .auth()
                  .roleGet(AuthRoleGetRequest.newBuilder().setRole(role).build())
                  .getPermList());
    }
    return told.toString();
  }

  private static void assertToldByAll(ProcessCluster cluster, String expected) {
    for (MemberClient client : cluster.clients()) {
      client.redial();
      assertEquals(expected, told(login(client, "root")));
      MemberClient alice = login(client, "alice");
      assertTrue(alice.put("k", "v").answered());
      assertEquals(Status.Code.PERMISSION_DENIED, refusal(alice.put("x", "v")).getCode());
      assertEquals(
          "etcdserver: user name is empty", refusal(client.put("k", "v")).getDescription());
    }
  }

  /** Waits for a leader, and for authentication to be on. */
  private static MemberClient login(MemberClient client, String user) {
    return Await.value("a login of " + user, LIMIT, () -> loginOrNull(client, user));
  }

  private static @Nullable MemberClient loginOrNull(MemberClient client, String user) {
    try {
      return client.login(user, user);
    } catch (StatusRuntimeException notYet) {
      return null;
    }
  }

  private static Status refusal(Attempt<?> attempt) {
    return ((Attempt.Refused<?>) attempt).status();
  }

  @Test
  void restartsAndLeaderChangesKeepThem() {
    ProcessCluster cluster = clusters.start(ClusterPlan.of(3).flags("--bcrypt-cost=4"));
    // While anybody may ask.
    int leader = cluster.awaitLeader();
    setUp(cluster.client(0));
    String expected = told(cluster.client(0).login("root", "root"));
    assertToldByAll(cluster, expected);

    cluster.kill(leader);
    assertEquals(expected, told(login(cluster.client(cluster.otherThan(leader)), "root")));
    cluster.member(leader).start();
    cluster.member(leader).awaitReadyLine(LIMIT);
    assertToldByAll(cluster, expected);

    for (int i = 0; i < 3; i++) {
      cluster.kill(i);
    }
    for (int i = 0; i < 3; i++) {
      cluster.member(i).start();
    }
    for (int i = 0; i < 3; i++) {
      cluster.member(i).awaitReadyLine(LIMIT);
    }
    assertToldByAll(cluster, expected);
  }

  @Test
  void aTokenOfOneMemberHoldsOnAllAtOnce() {
    ProcessCluster cluster = clusters.start(ClusterPlan.of(3).flags("--bcrypt-cost=4"));
    setUp(cluster.client(0));
    for (int round = 0; round < 20; round++) {
      for (int at = 0; at < 3; at++) {
        String token =
            cluster
                .client(at)
                .auth()
                .authenticate(
                    AuthenticateRequest.newBuilder().setName("alice").setPassword("alice").build())
                .getToken();
        for (MemberClient client : cluster.clients()) {
          // Also where the login may not have been applied yet.
          assertTrue(client.withToken(token).getLocal("k").answered());
          assertTrue(client.withToken(token).put("k", "v").answered());
        }
      }
    }
  }

  /** After etcd's issue 14571: whoever sees the switch must see it at the same entry. */
  @Test
  void togglingWhileAllMembersWriteLeavesThemEqual() throws Exception {
    ProcessCluster cluster = clusters.start(ClusterPlan.of(3).flags("--bcrypt-cost=4"));
    setUp(cluster.client(0));
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger done = new AtomicInteger();
    AtomicInteger refused = new AtomicInteger();
    AtomicInteger unknown = new AtomicInteger();
    List<CompletableFuture<Void>> writers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      MemberClient anonymous = cluster.client(i);
      int number = i;
      writers.add(
          CompletableFuture.runAsync(
              () -> {
                MemberClient alice = anonymous;
                for (int n = 0; !over.get(); n++) {
                  Attempt<?> attempt =
                      n % 2 == 0
                          ? anonymous.put("k" + number, "a" + n)
                          : alice.put("k" + number, "u" + n);
                  if (attempt.answered()) {
                    done.incrementAndGet();
                  } else if (refusal(attempt).getCode() == Status.Code.UNAVAILABLE) {
                    unknown.incrementAndGet();
                  } else {
                    refused.incrementAndGet();
                  }
                  if (n % 8 == 0) {
                    MemberClient again = loginOrNull(anonymous, "alice");
                    alice = again == null ? alice : again;
                  }
                }
              }));
    }
    for (int round = 0; round < 15; round++) {
      int before = done.get();
      MemberClient client = cluster.client(round % 3);
      MemberClient root = login(client, "root");
      Accounts.grant(root, "keys", "m" + round, "");
      Accounts.disable(root);
      Await.until("writes", LIMIT, () -> done.get() > before + 20);
      int refusedBefore = refused.get();
      Accounts.enable(cluster.client((round + 1) % 3));
      Await.until("refusals", LIMIT, () -> refused.get() > refusedBefore + 20);
    }
    over.set(true);
    for (CompletableFuture<Void> writer : writers) {
      writer.get(60, TimeUnit.SECONDS);
    }
    MemberClient root = login(cluster.client(0), "root");
    String expected = told(root);
    for (MemberClient client : cluster.clients()) {
      assertEquals(expected, told(client.login("root", "root")));
    }
    Accounts.disable(root);
    Replicas.State state = Replicas.agreed(cluster);
    long least = 1 + done.get();
    assertTrue(
        state.revision() >= least && state.revision() <= least + unknown.get(),
        () -> "acknowledged writes and no others: " + least + " of " + state.revision());
  }
}
