package io.tidemark.raftcore;

import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.raftcore.peer.ClusterAnswer;
import io.tidemark.raftcore.peer.ClusterQuestion;
import io.tidemark.raftcore.ratis.PeerTransport;
import io.tidemark.raftcore.settings.PeerMember;
import io.tidemark.raftcore.settings.PeerRoutes;
import io.tidemark.raftcore.settings.RaftMemberSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which member of which cluster a process is, when it starts: a founder as its flags say, a member
 * that joins as its peers say, or what its data directory says.
 *
 * <p>Used once, by the starting thread, which it blocks for some seconds at most.
 */
public final class Arrival {
  private static final Logger LOG = LoggerFactory.getLogger(Arrival.class);
  private static final long ANSWER_SECONDS = 5;

  private final RaftMemberSettings configured;
  private final PeerRoutes routes;

  private Arrival(RaftMemberSettings configured, PeerRoutes routes) {
    this.configured = configured;
    this.routes = routes;
  }

  /**
   * The settings that the member really starts with.
   *
   * @param configured as the flags have them: founders are the initial cluster, this member
   *     included, and the ids are those of founders
   * @param joins whether the cluster is there already, as the flags say
   * @param routes where to dial the others
   * @throws IOException why the member can't start, in etcd's words where etcd has any
   */
  public static RaftMemberSettings settle(
      RaftMemberSettings configured, boolean joins, PeerRoutes routes) throws IOException {
    Path directory = configured.dataDirectory().resolve("member");
    Optional<DirectoryOwner.Ids> owner = DirectoryOwner.read(directory);
    Arrival arrival = new Arrival(configured, routes);
    if (owner.isEmpty()) {
      return joins ? arrival.join() : arrival.found();
    }
    if (!joins) {
      return configured; // whoever owns the directory must be the one that the flags name
    }
    return DirectoryOwner.settings(directory, owner.get(), configured);
  }

  /** A founder, unless the others know it already: then its log, and its votes, are lost. */
  private RaftMemberSettings found() throws IOException {
    for (ClusterAnswer answer : ask(new ClusterQuestion(false, configured.memberId()))) {
      if (answer.clusterId() != configured.clusterId()) {
        continue;
      }
      if (answer.removed()) {
        throw new IOException(
            "member "
                + Long.toHexString(configured.memberId())
                + " has been permanently removed from the cluster");
      }
      for (Member member : answer.members()) {
        if (member.getID() == configured.memberId()) {
          refuseIfStarted(member);
        }
      }
    }
    return configured;
  }

  private RaftMemberSettings join() throws IOException {
    List<ClusterAnswer> answers = ask(new ClusterQuestion(true, 0));
    if (answers.isEmpty()) {
      throw new IOException(
          "cannot fetch cluster info from peer urls: could not retrieve cluster information from"
              + " the given URLs");
    }
    // One that has just restarted may know a table from before this member was added.
    ClusterAnswer cluster =
        answers.stream().filter(this::namesThis).findFirst().orElse(answers.get(0));
    Member self = matched(cluster);
    LOG.info(
        "{} joins cluster {} as member {}",
        configured.name(),
        Long.toHexString(cluster.clusterId()),
        Long.toHexString(self.getID()));
    List<PeerMember> founders = new ArrayList<>();
    for (Member founder : cluster.founders()) {
      founders.add(
          new PeerMember(
              founder.getID(),
              Long.toHexString(founder.getID()),
              founder.getPeerURLsList().stream().map(URI::create).toList()));
    }
    return configured.as(cluster.clusterId(), self.getID(), founders);
  }

  private boolean namesThis(ClusterAnswer cluster) {
    return cluster.members().stream().anyMatch(this::isThis);
  }

  private boolean isThis(Member member) {
    return entry(member).filter(named -> named.name().equals(configured.name())).isPresent();
  }

  /**
   * This member's row, by its peer URLs; each other row must have its entry in the initial cluster.
   * What matters most comes first: a member that forgot its log is told so, whatever else is wrong.
   */
  private Member matched(ClusterAnswer cluster) throws IOException {
    Member self = null;
    for (Member member : cluster.members()) {
      if (isThis(member)) {
        refuseIfStarted(member);
        self = member;
      }
    }
    if (cluster.members().size() != configured.founders().size()) {
      throw mismatch(cluster, "member count is unequal");
    }
    if (self == null || cluster.members().stream().anyMatch(m -> entry(m).isEmpty())) {
      throw mismatch(cluster, "unmatched member while checking PeerURLs");
    }
    return self;
  }

  /** The entry of the initial cluster that has a member's peer URLs. */
  private Optional<PeerMember> entry(Member member) {
    Set<String> urls = Set.copyOf(member.getPeerURLsList());
    return configured.founders().stream()
        .filter(
            named ->
                urls.equals(
                    named.peerUrls().stream().map(URI::toString).collect(Collectors.toSet())))
        .findFirst();
  }

  private static IOException mismatch(ClusterAnswer cluster, String why) {
    String members =
        cluster.members().stream()
            .map(m -> Long.toHexString(m.getID()) + "=" + String.join(",", m.getPeerURLsList()))
            .collect(Collectors.joining(" "));
    return new IOException(
        "error validating peerURLs {ClusterID:"
            + Long.toHexString(cluster.clusterId())
            + " Members:["
            + members
            + "]}: "
            + why);
  }

  private static void refuseIfStarted(Member member) throws IOException {
    if (!member.getName().isEmpty()) {
      throw new IOException(
          "member "
              + Long.toHexString(member.getID())
              + " has already been bootstrapped; its data directory is empty, so remove the member"
              + " and add it again");
    }
  }

  /** All answers of the other members of the initial cluster. Who can't be reached says nothing. */
  private List<ClusterAnswer> ask(ClusterQuestion question) throws IOException {
    List<ManagedChannel> channels = new ArrayList<>();
    List<CompletableFuture<ClusterAnswer>> asked = new ArrayList<>();
    try (PeerTransport transport = new PeerTransport(configured)) {
      for (PeerMember other : configured.founders()) {
        if (other.name().equals(configured.name())) {
          continue;
        }
        for (URI url : other.peerUrls()) {
          ManagedChannel channel = transport.open(url, routes);
          channels.add(channel);
          asked.add(
              question
                  .ask(channel, TimeUnit.SECONDS.toNanos(ANSWER_SECONDS))
                  .exceptionally(silent -> null));
        }
      }
      CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).join();
      List<ClusterAnswer> answers = new ArrayList<>();
      for (CompletableFuture<ClusterAnswer> answer : asked) {
        ClusterAnswer heard = answer.join();
        if (heard != null) {
          answers.add(heard);
        }
      }
      return answers;
    } finally {
      channels.forEach(ManagedChannel::shutdownNow);
    }
  }
}
