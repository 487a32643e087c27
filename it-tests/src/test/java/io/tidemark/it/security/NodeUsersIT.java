package io.tidemark.it.security;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.it.client.MemberClient;
import io.tidemark.it.process.Command.Ended;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.support.Clusters;
import io.tidemark.it.support.NodeScripts;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Node client etcd3 with users and passwords; the steps are in {@code check-users.js}. */
@Tag("security")
class NodeUsersIT {
  @RegisterExtension static final Clusters CLUSTERS = Clusters.perClass();

  private static ProcessCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    NodeScripts.install("check-users.js");
    cluster = CLUSTERS.start(ClusterPlan.of(3).flags("--bcrypt-cost=4"));
    MemberClient client = cluster.client(0);
    Accounts.role(client, "keys", "n", "o");
    Accounts.user(client, "node", "keys");
    Accounts.user(client, "root", "root");
    Accounts.enable(client);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void usersAndKeys(int member) {
    Ended ended = NodeScripts.run("check-users.js", cluster.endpoint(member));
    assertEquals(0, ended.code(), ended::all);
    assertEquals("keys ok\nusers ok\nwrongPassword ok\n", ended.out(), ended::all);
  }
}
