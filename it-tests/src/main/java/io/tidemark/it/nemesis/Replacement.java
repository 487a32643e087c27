package io.tidemark.it.nemesis;

import io.tidemark.api.etcdserverpb.ClusterGrpc;
import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.api.etcdserverpb.MemberAddRequest;
import io.tidemark.api.etcdserverpb.MemberRemoveRequest;
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.process.Await;
import io.tidemark.it.process.MemberProcess;
import io.tidemark.it.rig.ProcessCluster;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A member is removed from the cluster and ends by itself; its files are deleted, and a new one is
 * added in its place.
 */
final class Replacement implements Fault {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final ProcessCluster cluster;
  private final int victim;
  private long oldId;
  private long newId;
  private int exit = -1;

  Replacement(ProcessCluster cluster, int victim) {
    this.cluster = cluster;
    this.victim = victim;
  }

  @Override
  public void inflict() {
    MemberProcess process = cluster.member(victim);
    String url = process.spec().peerUrl().toString();
    oldId =
        survivor().memberList().answer().getMembersList().stream()
            .filter(member -> member.getPeerURLsList().contains(url))
            .map(Member::getID)
            .findFirst()
            .orElseThrow();
    calls(
        "remove", stub -> stub.memberRemove(MemberRemoveRequest.newBuilder().setID(oldId).build()));
    exit = process.awaitExit(LIMIT);
    cluster.eraseData(victim);
    var added =
        calls(
            "add", stub -> stub.memberAdd(MemberAddRequest.newBuilder().addPeerURLs(url).build()));
    newId = added.getMember().getID();
  }

  /** A change of members is refused while another one, or an election, is under way. */
  private <T> T calls(
      String what, java.util.function.Function<ClusterGrpc.ClusterBlockingStub, T> call) {
    return Await.value(
        what + " of a member",
        LIMIT,
        () -> {
          try {
            return call.apply(
                ClusterGrpc.newBlockingStub(survivor().channel())
                    .withDeadlineAfter(10, TimeUnit.SECONDS));
          } catch (io.grpc.StatusRuntimeException refused) {
            return null;
          }
        });
  }

  private MemberClient survivor() {
    return cluster.client(cluster.otherThan(victim));
  }

  @Override
  public Set<Integer> victims() {
    return Set.of(victim);
  }

  @Override
  public boolean unseats() {
    return true;
  }

  @Override
  public String proof() {
    return exit == 0 && newId != oldId
        ? String.format("member %x ended with 0, %x in its place", oldId, newId)
        : "";
  }

  @Override
  public void heal() {
    String all =
        java.util.stream.IntStream.range(0, cluster.size())
            .mapToObj(cluster::member)
            .map(member -> member.spec().name() + "=" + member.spec().peerUrl())
            .collect(Collectors.joining(","));
    cluster.join(victim, all);
  }
}
