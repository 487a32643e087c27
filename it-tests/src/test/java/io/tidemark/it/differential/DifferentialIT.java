package io.tidemark.it.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.AlarmRequest;
import io.tidemark.api.etcdserverpb.AlarmRequest.AlarmAction;
import io.tidemark.api.etcdserverpb.AlarmType;
import io.tidemark.api.etcdserverpb.WatchCreateRequest;
import io.tidemark.api.mvccpb.Event;
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.client.WatchProbe;
import io.tidemark.it.process.Product;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.support.Clusters;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Random requests to a real etcd and to a cluster of ours: each pair of answers is equal byte by
 * byte, or its difference is an {@link Allowance}. {@code -Dit.seed=N} runs a seed again.
 */
class DifferentialIT {
  private static final int FIELD_USES_MIN = 200;
  private static final int ERROR_HITS_MIN = 20;

  private static final List<EtcdError> ERRORS =
      List.of(
          EtcdError.EMPTY_KEY,
          EtcdError.KEY_NOT_FOUND,
          EtcdError.VALUE_PROVIDED,
          EtcdError.LEASE_PROVIDED,
          EtcdError.TOO_MANY_OPS,
          EtcdError.DUPLICATE_KEY,
          EtcdError.INVALID_SORT_OPTION,
          EtcdError.COMPACTED,
          EtcdError.FUTURE_REV,
          EtcdError.NO_SPACE,
          EtcdError.LEASE_NOT_FOUND,
          EtcdError.LEASE_EXIST,
          EtcdError.LEASE_TTL_TOO_LARGE,
          EtcdError.REQUEST_TOO_LARGE,
          EtcdError.CORRUPT);

  @RegisterExtension final Clusters clusters = Clusters.perTest();

  @Test
  @Tag("kv")
  void aFewThousandRequests() {
    DifferentialRun run = run(1, 2500, 200);
    assertEquals("", String.join("\n", run.differences()));
  }

  @Test
  @Tag("long")
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  void everyFieldAndEveryError() {
    DifferentialRun run = run(3, 30_000, 3000);
    assertEquals("", String.join("\n", run.differences()));
    assertEquals(List.of(), run.rareFields(FIELD_USES_MIN));
    assertEquals(List.of(), run.rareErrors(ERRORS, ERROR_HITS_MIN));
  }

  private DifferentialRun run(int members, int requests, int readBack) {
    long seed = Long.getLong("it.seed", System.nanoTime());
    System.out.println("seed: -Dit.seed=" + seed);
    String[] limits = {
      "--max-txn-ops=" + DifferentialRun.TXN_OPS_MAX,
      "--max-request-bytes=" + DifferentialRun.REQUEST_BYTES_MAX
    };
    ProcessCluster etcd = clusters.start(ClusterPlan.of(1, Product.ETCD).flags(limits));
    ProcessCluster ours = clusters.start(ClusterPlan.of(members, Product.TIDEMARK).flags(limits));
    List<WatchProbe> watches = new ArrayList<>();
    watches.add(watch(etcd.client(0)));
    ours.clients().forEach(client -> watches.add(watch(client)));
    Pair pair = new Pair(connections(etcd).get(0), connections(ours));
    DifferentialRun run =
        new DifferentialRun(
            pair,
            (action, type) -> {
              alarm(etcd, action, type);
              alarm(ours, action, type);
            },
            seed);
    try {
      run.ask(requests);
      run.readAll(readBack);
    } finally {
      System.out.println(run.report());
    }
    assertSameEvents(watches, run.revision());
    return run;
  }

  private List<RawMember> connections(ProcessCluster cluster) {
    List<RawMember> members = new ArrayList<>();
    for (int i = 0; i < cluster.size(); i++) {
      members.add(clusters.closing(RawMember.at(cluster.endpoint(i))));
    }
    return members;
  }

  private WatchProbe watch(MemberClient client) {
    WatchProbe probe = clusters.closing(client.watch());
    probe.create(
        WatchCreateRequest.newBuilder()
            .setKey(World.OPEN_END)
            .setRangeEnd(World.OPEN_END)
            .setStartRevision(1)
            .build());
    probe.awaitCreated(0);
    return probe;
  }

  /** What happened, the order inside each revision included, on every member. */
  private static void assertSameEvents(List<WatchProbe> watches, long until) {
    watches.forEach(watch -> watch.awaitRevision(0, until));
    List<Event> expected = watches.get(0).events(0);
    System.out.println(expected.size() + " events compared");
    for (WatchProbe watch : watches) {
      assertEquals(expected, watch.events(0));
    }
  }

  private static void alarm(ProcessCluster cluster, AlarmAction action, AlarmType type) {
    AlarmRequest request =
        AlarmRequest.newBuilder().setAction(action).setAlarm(type).setMemberID(1).build();
    cluster.client(0).alarm(request).answer();
  }
}
