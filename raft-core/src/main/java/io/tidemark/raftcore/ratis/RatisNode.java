package io.tidemark.raftcore.ratis;

import com.google.protobuf.ByteString;
import io.tidemark.raftcore.apply.ApplyListener;
import io.tidemark.raftcore.apply.Replica;
import io.tidemark.raftcore.lease.LeaderLog;
import io.tidemark.raftcore.membership.Group;
import io.tidemark.raftcore.metrics.PeerTraffic;
import io.tidemark.raftcore.metrics.SnapshotMetrics;
import io.tidemark.raftcore.peer.PeerHandler;
import io.tidemark.raftcore.peer.PeerService;
import io.tidemark.raftcore.peer.SendResult;
import io.tidemark.raftcore.read.ReadIndexRounds;
import io.tidemark.raftcore.settings.PeerMember;
import io.tidemark.raftcore.settings.PeerRoutes;
import io.tidemark.raftcore.settings.RaftMemberSettings;
import io.tidemark.raftcore.snapshot.SnapshotStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.util.ExitUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One member's Ratis server: submitting, who leads, purging the log.
 *
 * <p>Thread-safe. Nothing blocks but {@link #start}, {@link #purge} and {@link #close}.
 */
public final class RatisNode implements LeaderLog {
  private static final Logger LOG = LoggerFactory.getLogger(RatisNode.class);

  private final String id;
  private final RaftServer server;
  private final RaftServer.Division division;
  private final TidemarkStateMachine stateMachine;
  private final PeerTransport transport;
  private final PeerPort port;
  private final AddressBook addresses;
  private final LeaderAppenders appenders;
  private final DivisionLeadership leadership;
  private final ReadIndexRounds rounds;
  private final RatisGroup ratisGroup;
  private final DivisionLog log;
  private final OwnRequests requests;
  private final LeadershipTransfers transfers;
  private final LeaderCommit leaderCommit;

  /**
   * Builds a server that isn't started yet. Its peer port is bound by {@link #start}.
   *
   * @param storage Ratis's directory
   * @param building directory for a checkpoint in the making
   * @param transport how members talk; stays the caller's
   * @param traffic counts what they say
   * @throws IOException if the directory can't be used
   */
  public RatisNode(
      RaftMemberSettings settings,
      PeerRoutes routes,
      Path storage,
      Path building,
      Replica replica,
      SnapshotStorage snapshots,
      ApplyListener listener,
      LogEvents events,
      PeerHandler peers,
      PeerTransport transport,
      PeerTraffic traffic)
      throws IOException {
    ExitUtils.disableSystemExit(); // an embedded member never ends the JVM
    this.id = peerId(settings.memberId());
    RaftPeerId peerId = RaftPeerId.valueOf(id);
    UUID group = group(settings.clusterId());
    RaftGroupId groupId = RaftGroupId.valueOf(group);
    this.stateMachine = new TidemarkStateMachine(replica, snapshots, building, listener, events);
    this.transport = transport;
    this.appenders = new LeaderAppenders(traffic);
    this.port = new PeerPort(id, transport, traffic, peers::refuses);
    port.serve(PeerService.define(group, peers), PeerService.defineForAll(peers));
    this.addresses = new AddressBook(id, routes);
    for (PeerMember founder : settings.founders()) {
      addresses.put(peerId(founder.id()), founder.peerUrls());
    }
    Parameters parameters = new Parameters();
    parameters.put(TidemarkRpcFactory.APPENDERS, appenders, LeaderAppenders.class);
    GrpcConfigKeys.Server.setServicesCustomizer(parameters, port);
    GrpcTlsConfig tls = transport.ratis();
    if (tls != null) {
      GrpcConfigKeys.TLS.setConf(parameters, tls);
    }
    RaftServer.Builder builder =
        RaftServer.newBuilder()
            .setServerId(peerId)
            .setGroup(RaftGroup.valueOf(groupId, StartingGroup.peers(settings, addresses)))
            .setStateMachine(stateMachine)
            .setProperties(RatisKeys.of(settings, storage, StartingGroup.alone(settings, replica)))
            .setParameters(parameters)
            .setOption(RaftStorage.StartupOption.RECOVER);
    this.server = built(builder);
    this.division = division(groupId);
    this.leadership = new DivisionLeadership(division, appenders);
    this.requests = new OwnRequests(peerId, groupId);
    this.transfers = new LeadershipTransfers(server, requests, leadership, appenders);
    this.leaderCommit = new LeaderCommit(division, leadership);
    this.rounds = new ReadIndexRounds(leadership);
    this.ratisGroup = new RatisGroup(this, division, appenders, settings.electionTimeout());
    appenders.attach(rounds);
    this.log = new DivisionLog(division, snapshots, storage.resolve(group.toString()));
  }

  private RaftServer built(RaftServer.Builder builder) throws IOException {
    try {
      return builder.build();
    } catch (IOException | RuntimeException e) {
      port.close();
      throw e;
    }
  }

  private RaftServer.Division division(RaftGroupId groupId) throws IOException {
    try {
      return server.getDivision(groupId);
    } catch (IOException | RuntimeException e) {
      stateMachine.expectClose();
      server.close();
      port.close();
      throw e;
    }
  }

  /** A member's id as Ratis knows it. */
  public static String peerId(long memberId) {
    return Long.toHexString(memberId);
  }

  /** A member's id out of its Ratis id. */
  public static long memberId(String peerId) {
    return Long.parseUnsignedLong(peerId, 16);
  }

  /** A cluster's group. */
  public static UUID group(long clusterId) {
    return new UUID(0x7469_6465_6d61_4000L, 0x8000_0000_0000_0000L ^ clusterId);
  }

  /** Opens a channel to a member's peer port. */
  public ManagedChannel openChannel(String peerId) {
    return transport.open(addresses.target(peerId));
  }

  /** Binds the peer port, opens the log and joins the group. */
  public void start() throws IOException {
    addresses.open();
    log.open(server::start);
  }

  /** The configuration. */
  public Group group() {
    return ratisGroup;
  }

  /** Where this member finds the others. */
  public AddressBook addresses() {
    return addresses;
  }

  /** The bound peer port. */
  public int peerPort() {
    return server.getServerRpc().getInetSocketAddress().getPort();
  }

  /** This member's peer id. */
  public String id() {
    return id;
  }

  /** The index rounds of this member's leadership. */
  public ReadIndexRounds rounds() {
    return rounds;
  }

  /** The leader this member knows of. */
  public @Nullable String leader() {
    DivisionInfo info = division.getInfo();
    if (!info.isAlive()) {
      return null;
    }
    RaftPeerId leader = info.getLeaderId();
    return leader == null ? null : leader.toString();
  }

  /** Whether this member leads, ready or not. */
  public boolean leads() {
    return leadership.leads();
  }

  /** The current term. */
  public long term() {
    return division.getInfo().getCurrentTerm();
  }

  /** The highest index that this member knows to be committed. */
  public long committed() {
    return division.getRaftLog().getLastCommittedIndex();
  }

  /** Whether this member doesn't vote. */
  public boolean isLearner() {
    return division.getInfo().isListener();
  }

  /** What was heard of the leader's commit index. */
  public LeaderCommit leaderCommit() {
    return leaderCommit;
  }

  /** Giving leadership away. */
  public LeadershipTransfers transfers() {
    return transfers;
  }

  /** Tells followers at once of what was just applied, when nothing else follows. Thread: apply. */
  public void kick(long appliedIndex) {
    if (appliedIndex >= committed() && leads()) {
      appenders.kick(appliedIndex);
    }
  }

  @Override
  public long leadingTerm() {
    long before = term();
    return leadership.ready() && term() == before ? before : -1;
  }

  /** Tries once to append an entry here. Never completes exceptionally. */
  @Override
  public CompletableFuture<SendResult> submit(ByteString entry) {
    return submit(SharedBytes.toRatis(entry));
  }

  /** As the other, for bytes that are never written again. */
  public CompletableFuture<SendResult> submit(byte[] entry) {
    return submit(SharedBytes.toRatis(entry));
  }

  private CompletableFuture<SendResult> submit(
      org.apache.ratis.thirdparty.com.google.protobuf.ByteString entry) {
    long callId = requests.nextCallId();
    Submission submission = stateMachine.announce(callId);
    RaftClientRequest request = requests.write(callId, entry);
    try {
      // On the division: the server's own method would hop to a pool and wait there.
      return ((RaftClientAsynchronousProtocol) division)
          .submitClientRequestAsync(request)
          .handle((reply, failure) -> conclude(callId, submission, reply, failure));
    } catch (IOException | RuntimeException e) {
      return CompletableFuture.completedFuture(conclude(callId, submission, null, e));
    }
  }

  private SendResult conclude(
      long callId,
      Submission submission,
      @Nullable RaftClientReply reply,
      @Nullable Throwable failure) {
    stateMachine.forget(callId);
    if (reply != null && failure == null && reply.isSuccess()) {
      return SendResult.DONE;
    }
    return submission.appended() ? SendResult.UNKNOWN : SendResult.REFUSED;
  }

  /**
   * Lets the log up to an index go, whoever may still lack it. Whole closed segments go, soon.
   *
   * @param index must be inside the latest snapshot; negative = nothing
   */
  public void purge(long index) {
    if (index >= 0) {
      var unused = division.getRaftLog().purge(index);
    }
  }

  /** What the log looks like. */
  public SnapshotMetrics.Log log() {
    return log;
  }

  /** From now on Ratis's closing is no fault. */
  public void expectClose() {
    stateMachine.expectClose();
  }

  /**
   * Closes the log and the peer port. What Ratis only tidies up goes on for a while.
   *
   * @return whether the log is closed, so that nothing will be applied any more
   */
  public boolean close() {
    expectClose();
    boolean quiet = new RatisClosing(division, server, port::close).run();
    addresses.close();
    return quiet;
  }

  /** Changes the configuration. May stay open when the majority is lost. */
  CompletableFuture<RaftClientReply> configure(SetConfigurationRequest.Arguments arguments) {
    try {
      return server.setConfigurationAsync(requests.configure(arguments));
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
