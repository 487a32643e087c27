package io.tidemark.raftcore;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.PutResponse;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.mvcc.MvccLimits;
import io.tidemark.mvcc.ReadView;
import io.tidemark.mvcc.StoreDigest;
import io.tidemark.raftcore.propose.ProposalResult;
import io.tidemark.raftcore.read.BarrierResult;
import io.tidemark.raftcore.settings.PeerMember;
import io.tidemark.raftcore.settings.PeerRoutes;
import io.tidemark.raftcore.settings.RaftLimits;
import io.tidemark.raftcore.settings.RaftMemberSettings;
import io.tidemark.raftcore.settings.Surroundings;
import io.tidemark.raftcore.settings.UpkeepSettings;
import io.tidemark.statemachine.Command;
import io.tidemark.statemachine.Outcome;
import io.tidemark.statemachine.read.MemberTable;
import io.tidemark.watch.WatchLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.ratis.util.CodeInjectionForTesting;
import org.jspecify.annotations.Nullable;

/** Members of one cluster in this JVM, on real sockets and disks. */
final class TestCluster implements AutoCloseable {
  static final Duration ELECTION = Duration.ofMillis(1500);
  private static final Duration SLOW = Duration.ofMillis(100);

  /** Each JVM starts elsewhere, so that two that test at a time seldom meet. */
  private static final AtomicInteger PORTS =
      new AtomicInteger(24_000 + (int) (ProcessHandle.current().pid() * 37 % 900));

  final Queue<String> faults = new ConcurrentLinkedQueue<>();
  final Queue<Long> removed = new ConcurrentLinkedQueue<>();
  private final List<PeerMember> newcomers = new ArrayList<>();
  private final Duration election;
  private final UpkeepSettings upkeep;
  private final Path directory;
  private final int maxRequestBytes;
  private final RaftLimits limits;
  private final List<PeerMember> founders = new ArrayList<>();
  private final List<@Nullable RaftMember> members = new ArrayList<>();
  private final List<MetricRegistry> metrics = new ArrayList<>();
  private final Set<String> cut = ConcurrentHashMap.newKeySet();
  private final AtomicInteger refusals = new AtomicInteger();
  private final long clusterId;

  TestCluster(Path directory, int size) {
    this(directory, size, 1 << 20, RaftLimits.defaults(1 << 20));
  }

  TestCluster(Path directory, int size, int maxRequestBytes, RaftLimits limits) {
    this(directory, size, maxRequestBytes, limits, ELECTION);
  }

  TestCluster(Path directory, int size, UpkeepSettings upkeep) {
    this(directory, size, 1 << 20, RaftLimits.defaults(1 << 20), ELECTION, upkeep);
  }

  TestCluster(Path directory, int size, int maxRequestBytes, RaftLimits limits, Duration election) {
    this(directory, size, maxRequestBytes, limits, election, UpkeepSettings.NONE);
  }

  private TestCluster(
      Path directory,
      int size,
      int maxRequestBytes,
      RaftLimits limits,
      Duration election,
      UpkeepSettings upkeep) {
    this.upkeep = upkeep;
    this.election = election;
    this.directory = directory;
    this.maxRequestBytes = maxRequestBytes;
    this.limits = limits;
    int base = freePorts(size);
    this.clusterId = 0xC0FFEE00L + base;
    for (int i = 0; i < size; i++) {
      founders.add(
          new PeerMember(
              0xA000_0000_0000_0000L + base + i,
              "m" + i + "-" + base,
              List.of(URI.create("http://127.0.0.1:" + (base + i)))));
      members.add(null);
      metrics.add(new MetricRegistry());
    }
    CodeInjectionForTesting.Code partition =
        (local, remote, args) -> {
          if (remote != null && cut.contains(remote + ">" + local)) {
            refusals.incrementAndGet();
            throw new IllegalStateException("cut off");
          }
          return false;
        };
    CodeInjectionForTesting.put("RaftServerImpl.appendEntries", partition);
    CodeInjectionForTesting.put("RaftServerImpl.requestVote", partition);
    CodeInjectionForTesting.put("RaftServerImpl.installSnapshot", partition);
  }

  /** The first of {@code count} adjacent ports that nobody listens on now. */
  private static int freePorts(int count) {
    while (true) {
      int base = PORTS.getAndAdd(count);
      if (IntStream.range(base, base + count).allMatch(TestCluster::isFree)) {
        return base;
      }
    }
  }

  private static boolean isFree(int port) {
    try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return probe.isBound();
    } catch (IOException taken) {
      return false;
    }
  }

  TestCluster startAll() throws InterruptedException {
    for (int i = 0; i < founders.size(); i++) {
      start(i);
    }
    for (RaftMember member : alive()) {
      if (!member.awaitReady(Duration.ofSeconds(30))) {
        close();
        throw new AssertionError("not ready: " + member.status());
      }
    }
    return this;
  }

  RaftMember start(int i) {
    return start(i, founderSettings(i));
  }

  /** Starts a founder that makes itself a cluster of one. */
  RaftMember force(int i) throws IOException {
    return start(i, ForcedNewCluster.settle(founderSettings(i)).orElseThrow());
  }

  /** As a founder's flags have it. */
  RaftMemberSettings founderSettings(int i) {
    return settings(founders.get(i), founders);
  }

  private RaftMemberSettings settings(PeerMember self, List<PeerMember> named) {
    return new RaftMemberSettings(
        clusterId,
        self.id(),
        self.name(),
        named,
        List.of("http://127.0.0.1:1"),
        directory.resolve(self.name()),
        "127.0.0.1",
        self.peerUrls().get(0).getPort(),
        null,
        election,
        maxRequestBytes,
        SLOW,
        limits,
        MvccLimits.defaults(),
        WatchLimits.defaults(),
        upkeep);
  }

  private RaftMember start(int i, RaftMemberSettings settings) {
    metrics.set(i, new MetricRegistry());
    RaftMember member =
        RaftMember.start(
            settings, Surroundings.ofProcess(), new Ends(settings.memberId()), metrics.get(i));
    members.set(i, member);
    return member;
  }

  /** A place for one more member; nothing knows of it yet. */
  PeerMember newcomer(long id) {
    int port = freePorts(1);
    members.add(null);
    metrics.add(new MetricRegistry());
    PeerMember fresh =
        new PeerMember(id, "n" + port, List.of(URI.create("http://127.0.0.1:" + port)));
    newcomers.add(fresh);
    return fresh;
  }

  /** Starts a newcomer as its flags would have it, among these. */
  RaftMember join(PeerMember newcomer, List<PeerMember> others) throws IOException {
    List<PeerMember> named = new ArrayList<>(others);
    named.add(newcomer);
    int i = founders.size() + newcomers.indexOf(newcomer);
    return start(i, Arrival.settle(settings(newcomer, named), true, PeerRoutes.ofProperty()));
  }

  List<PeerMember> founders() {
    return founders;
  }

  List<PeerMember> newcomers() {
    return newcomers;
  }

  static List<Member> table(RaftMember member) {
    try (ReadView view = member.view()) {
      return MemberTable.members(view);
    }
  }

  private final class Ends implements FaultHandler {
    private final long id;

    Ends(long id) {
      this.id = id;
    }

    @Override
    public void onFault(String name, String what, Throwable cause) {
      faults.add(name + " " + what + ": " + cause);
    }

    @Override
    public void onRemoved(String name) {
      removed.add(id);
    }
  }

  void stop(int i) {
    RaftMember member = members.set(i, null);
    if (member != null) {
      member.stop(Duration.ofSeconds(2));
    }
  }

  /** As after a kill: the log has what the store hasn't. */
  void abort(int i) {
    RaftMember member = members.set(i, null);
    if (member != null) {
      member.abort();
    }
  }

  RaftMember member(int i) {
    RaftMember member = members.get(i);
    if (member == null) {
      throw new AssertionError("member " + i + " is stopped");
    }
    return member;
  }

  /** A gauge of a member's newest run. */
  long gauge(int i, String name) {
    Gauge<?> gauge = Objects.requireNonNull(metrics.get(i).getGauges().get(name), name);
    return ((Number) Objects.requireNonNull(gauge.getValue(), name)).longValue();
  }

  /** A meter of a member's newest run. */
  long count(int i, String name) {
    return metrics.get(i).meter(name).getCount();
  }

  /** A counter of a member's newest run. */
  long counter(int i, String name) {
    return Objects.requireNonNull(metrics.get(i).getCounters().get(name), name).getCount();
  }

  Path directoryOf(int i) {
    List<PeerMember> all = Stream.concat(founders.stream(), newcomers.stream()).toList();
    return directory.resolve(all.get(i).name());
  }

  List<RaftMember> alive() {
    List<RaftMember> alive = new ArrayList<>();
    for (RaftMember member : members) {
      if (member != null) {
        alive.add(member);
      }
    }
    return alive;
  }

  /** The member that leads according to itself, other than {@code not}. */
  int awaitLeader(int not) {
    int[] found = {-1};
    await(
        "a leader",
        () -> {
          for (int i = 0; i < members.size(); i++) {
            RaftMember member = members.get(i);
            if (i != not && member != null) {
              RaftStatus status = member.status();
              if (status.leaderId() == status.memberId()) {
                found[0] = i;
                return true;
              }
            }
          }
          return false;
        });
    return found[0];
  }

  /** Cuts a member off from all others, both ways. */
  void isolate(int i) {
    String self = Long.toHexString(founders.get(i).id());
    for (PeerMember other : founders) {
      String peer = Long.toHexString(other.id());
      if (!peer.equals(self)) {
        cut.add(peer + ">" + self);
        cut.add(self + ">" + peer);
      }
    }
  }

  /** A newcomer hears nothing of what founders send, though it answers what they ask. */
  void deafen(long newcomer) {
    founders.forEach(
        founder -> cut.add(Long.toHexString(founder.id()) + ">" + Long.toHexString(newcomer)));
  }

  /** How many messages didn't get through cuts so far. */
  int refusals() {
    return refusals.get();
  }

  void heal() {
    cut.clear();
  }

  CompletableFuture<ProposalResult> put(int i, String key, ByteString value) {
    PutRequest request =
        PutRequest.newBuilder().setKey(ByteString.copyFromUtf8(key)).setValue(value).build();
    return member(i).propose(new Command.Put(request));
  }

  /** Puts and returns the revision; fails the test if the put isn't applied. */
  long putNow(int i, String key, String value) throws Exception {
    return revision(put(i, key, ByteString.copyFromUtf8(value)).get(20, TimeUnit.SECONDS));
  }

  static long revision(ProposalResult result) {
    if (result instanceof ProposalResult.Applied applied
        && applied.outcome() instanceof Outcome.Done done) {
      try {
        return PutResponse.parseFrom(done.response()).getHeader().getRevision();
      } catch (InvalidProtocolBufferException e) {
        throw new AssertionError(e);
      }
    }
    throw new AssertionError("not applied: " + result);
  }

  BarrierResult barrier(int i) throws Exception {
    return member(i).readBarrier().get(20, TimeUnit.SECONDS);
  }

  /** A linearizable read, or null if the barrier failed or the key isn't there. */
  @Nullable String read(int i, String key) throws Exception {
    return barrier(i) instanceof BarrierResult.Passed ? local(i, key) : null;
  }

  @Nullable String local(int i, String key) {
    try (ReadView view = member(i).view()) {
      KeyValue kv = view.get(ByteString.copyFromUtf8(key), 0);
      return kv == null ? null : kv.getValue().toStringUtf8();
    }
  }

  /** What a member's store holds, whatever of its history it still has on disk. */
  StoreDigest digest(int i) {
    try (ReadView view = member(i).view()) {
      StoreDigest digest = view.digest(0);
      return new StoreDigest(digest.revision(), digest.compactRevision(), 0, digest.hash());
    }
  }

  void awaitRevision(int i, long revision) {
    await("revision " + revision, () -> member(i).revision() >= revision);
  }

  /** Ratis takes up to 12 s to notice that who was sent a snapshot is another process now. */
  static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("waited in vain for " + what);
      }
      LockSupport.parkNanos(5_000_000);
    }
  }

  @Override
  public void close() {
    for (int i = 0; i < members.size(); i++) {
      stop(i);
    }
    for (String point : List.of("appendEntries", "requestVote", "installSnapshot")) {
      CodeInjectionForTesting.remove("RaftServerImpl." + point);
    }
  }
}
