package io.tidemark.raftcore;

import com.google.protobuf.ByteString;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.mvcc.ReadView;
import io.tidemark.raftcore.apply.Replica;
import io.tidemark.raftcore.membership.ChangePermits;
import io.tidemark.raftcore.membership.ChangesInForce;
import io.tidemark.raftcore.membership.Departure;
import io.tidemark.raftcore.membership.Group;
import io.tidemark.raftcore.membership.Reconfiguration;
import io.tidemark.raftcore.peer.ClusterAnswer;
import io.tidemark.raftcore.peer.ClusterQuestion;
import io.tidemark.raftcore.peer.PeerChannels;
import io.tidemark.raftcore.ratis.AddressBook;
import io.tidemark.raftcore.ratis.RatisNode;
import io.tidemark.raftcore.read.NotLeadingException;
import io.tidemark.raftcore.settings.PeerMember;
import io.tidemark.raftcore.settings.RaftMemberSettings;
import io.tidemark.statemachine.BatchId;
import io.tidemark.statemachine.Command;
import io.tidemark.statemachine.EntryCodec;
import io.tidemark.statemachine.member.MemberChange;
import io.tidemark.statemachine.read.MemberTable;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The member table as it was last applied, and what follows it: addresses, Ratis's configuration,
 * this member's departure.
 *
 * <p>The table is read on the apply thread; everything else may be called from any.
 */
final class Membership {
  private static final long TICK_MILLIS = 100;
  private static final long ASK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final RaftMemberSettings settings;
  private final Replica replica;
  private final RatisNode node;
  private final PeerChannels channels;
  private final MemberThreads threads;
  private final Group group;
  private final Reconfiguration reconfiguration;
  private final Departure departure;
  private final ChangesInForce changes;
  private final MembersFile file;
  private volatile List<Member> table = List.of();

  /** What the table says of this member; null while it says nothing. Asked for with every call. */
  private volatile @Nullable Boolean learner;

  /**
   * Reads the table as it is at the start.
   *
   * @param leave called once when this member was removed and may stop
   */
  Membership(
      RaftMemberSettings settings,
      Replica replica,
      RatisNode node,
      PeerChannels channels,
      MemberThreads threads,
      Runnable leave)
      throws IOException {
    this.settings = settings;
    this.replica = replica;
    this.node = node;
    this.channels = channels;
    this.threads = threads;
    this.group = node.group();
    this.file = MembersFile.open(settings.dataDirectory().resolve("member"), settings.founders());
    long self = settings.memberId();
    this.reconfiguration = new Reconfiguration(self, group, () -> table, this::runs, threads.timer);
    this.departure =
        new Departure(
            self,
            group,
            new Departure.Ways(this::others, this::word, () -> node.leader() == null, leave),
            2 * settings.electionTimeout().toNanos(),
            threads.timer);
    this.changes =
        new ChangesInForce(
            self, group, reconfiguration::busy, departure::gone, threads.timer, threads.complete);
    read();
  }

  void start() {
    threads.every(TICK_MILLIS, this::tick);
  }

  /** Reads the table, once it may have changed. Blocks on the disk if it has. Thread: apply. */
  void read() {
    try (ReadView view = replica.view()) {
      table = MemberTable.members(view);
      if (MemberTable.removed(view, settings.memberId())) {
        departure.removed();
      }
    }
    for (Member member : table) {
      if (member.getID() == settings.memberId()) {
        learner = member.getIsLearner();
      }
    }
    if (known()) {
      file.keep(replica.applied().index(), table.stream().flatMap(Membership::dialable).toList());
    }
    file.members().forEach(m -> node.addresses().put(RatisNode.peerId(m.id()), m.peerUrls()));
    threads.timer.execute(reconfiguration::tick);
  }

  private static Stream<PeerMember> dialable(Member member) {
    List<URI> urls = AddressBook.usable(member.getPeerURLsList());
    return urls.isEmpty()
        ? Stream.of()
        : Stream.of(new PeerMember(member.getID(), RatisNode.peerId(member.getID()), urls));
  }

  /** The ids of all that have started at some time, this member's among them. */
  List<Long> started() {
    return table.stream().filter(member -> !member.getName().isEmpty()).map(Member::getID).toList();
  }

  /** The members as they were last applied; empty while this member knows none. */
  List<Member> table() {
    return table;
  }

  /** Whether there is a table. */
  boolean known() {
    return !table.isEmpty();
  }

  /** Whether this member was removed. */
  boolean removed() {
    return departure.isRemoved();
  }

  /** Whether this member has no vote: as the table says, or Ratis before there is one. */
  boolean learner() {
    Boolean told = learner;
    return told == null ? node.isLearner() : told;
  }

  /** The group was closed. Completes with whether that is because this member was removed. */
  CompletableFuture<Boolean> closed() {
    return departure.closed();
  }

  /** Asks the leader, once there is one, whether a change may be proposed. Never exceptional. */
  CompletableFuture<Optional<EtcdError>> ask(MemberChange change) {
    CompletableFuture<Optional<EtcdError>> result = new CompletableFuture<>();
    ask(change, System.nanoTime() + settings.requestTimeout().toNanos() / 2, result);
    return result;
  }

  private void ask(
      MemberChange change, long deadlineNanos, CompletableFuture<Optional<EtcdError>> result) {
    String leader = node.leader();
    CompletableFuture<Optional<EtcdError>> answer;
    if (leader == null) {
      answer = CompletableFuture.failedFuture(new NotLeadingException());
    } else if (leader.equals(node.id())) {
      answer = permit(change);
    } else {
      answer = channels.permit(leader, encode(change), ASK_NANOS);
    }
    var unused =
        answer.whenComplete(
            (refusal, failure) -> {
              if (failure == null) {
                result.complete(refusal);
              } else if (System.nanoTime() - deadlineNanos > 0) {
                result.complete(
                    Optional.of(
                        change instanceof MemberChange.Promote
                            ? EtcdError.TIMEOUT
                            : EtcdError.UNHEALTHY));
              } else {
                threads.later(() -> ask(change, deadlineNanos, result));
              }
            });
  }

  /** As above for a peer that takes this member for the leader, out of {@link #encode}. */
  CompletableFuture<Optional<EtcdError>> permit(byte[] entry) {
    List<Command> commands = EntryCodec.decode(ByteString.copyFrom(entry)).commands();
    return commands.size() == 1 && commands.get(0) instanceof Command.ChangeMembers change
        ? permit(change.change())
        : CompletableFuture.failedFuture(new IllegalArgumentException("no change of members"));
  }

  private CompletableFuture<Optional<EtcdError>> permit(MemberChange change) {
    return group.leads()
        ? CompletableFuture.completedFuture(
            change.on(new ChangePermits(settings.memberId(), group, table)))
        : CompletableFuture.failedFuture(new NotLeadingException());
  }

  private static byte[] encode(MemberChange change) {
    return EntryCodec.encode(
            new BatchId(0, 0, 0), List.of(new Command.ChangeMembers(change).encoded()))
        .toByteArray();
  }

  /** Completes with whether an applied change came into force before the request timeout. */
  CompletableFuture<Boolean> inForce(MemberChange change) {
    return changes.await(change, System.nanoTime() + settings.requestTimeout().toNanos());
  }

  /** What this member says of the cluster now. */
  ClusterAnswer describe(long id) {
    try (ReadView view = replica.view()) {
      return new ClusterAnswer(
          settings.clusterId(),
          settings.memberId(),
          MemberTable.removed(view, id),
          group.composition().contains(id),
          MemberTable.members(view),
          MemberTable.founders(view));
    }
  }

  /**
   * Whether a member's Raft messages are refused: it was removed, and the configuration is rid of
   * it. Before that a leader that was removed may still have to hand over.
   */
  boolean refuses(long id) {
    if (table.stream().anyMatch(member -> member.getID() == id)
        || group.composition().contains(id)) {
      return false;
    }
    try (ReadView view = replica.view()) {
      return MemberTable.removed(view, id);
    }
  }

  /** Ends all waits. */
  void close() {
    changes.close();
  }

  private void tick() {
    reconfiguration.tick();
    departure.tick();
    changes.tick();
  }

  private List<Long> others() {
    List<Long> known =
        table.isEmpty()
            ? file.members().stream().map(PeerMember::id).toList()
            : table.stream().map(Member::getID).toList();
    return known.stream().filter(id -> id != settings.memberId()).toList();
  }

  private CompletableFuture<Boolean> runs(long id) {
    return channels
        .describe(RatisNode.peerId(id), new ClusterQuestion(false, 0), ASK_NANOS)
        .handle(
            (answer, failure) ->
                failure == null
                    && answer.memberId() == id
                    && answer.clusterId() == settings.clusterId());
  }

  private CompletableFuture<Departure.Word> word(long other) {
    return channels
        .describe(
            RatisNode.peerId(other), new ClusterQuestion(false, settings.memberId()), ASK_NANOS)
        .handle(
            (answer, failure) -> {
              if (failure != null
                  || answer.clusterId() != settings.clusterId()
                  || !answer.removed()) {
                return Departure.Word.STAYS;
              }
              return answer.configured() ? Departure.Word.LEAVING : Departure.Word.GONE;
            });
  }
}
