package io.tidemark.it.rig;

import io.tidemark.api.etcdserverpb.StatusResponse;
import io.tidemark.it.client.Attempt;
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.client.MemberMetrics;
import io.tidemark.it.process.Await;
import io.tidemark.it.process.MemberProcess;
import io.tidemark.it.process.MemberSpec;
import io.tidemark.it.process.Ports;
import io.tidemark.it.process.Product;
import io.tidemark.it.proxy.PeerLinks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Members as processes, numbered from 0, in a directory of their own. Closing kills them all,
 * whatever state they are in, and deletes the directory.
 */
public final class ProcessCluster implements AutoCloseable {
  private static final Duration READY = Duration.ofSeconds(60);

  /** Members live for seconds here; compiling them well would cost more than it saves. */
  private static final String SHORT_LIVED = "-XX:TieredStopAtLevel=1";

  private static final Duration LEADER = Duration.ofSeconds(30);

  private final ClusterPlan plan;
  private final Path directory;
  private final List<MemberProcess> members = new ArrayList<>();
  private final List<MemberClient> clients = new ArrayList<>();
  private final List<SmallDisk> disks = new ArrayList<>();
  private final @Nullable PeerLinks links;

  private ProcessCluster(ClusterPlan plan) {
    this.plan = plan;
    this.directory = temporaryDirectory();
    List<Integer> peerPorts = Ports.free(plan.members());
    List<Integer> clientPorts = Ports.free(plan.members());
    this.links = plan.linked() ? new PeerLinks(peerPorts) : null;
    String initial =
        IntStream.range(0, plan.members())
            .mapToObj(i -> name(i) + "=" + plan.peerScheme() + "://127.0.0.1:" + peerPorts.get(i))
            .collect(Collectors.joining(","));
    plan.smallDisks().forEach(i -> disks.add(SmallDisk.mount(directory.resolve(name(i)))));
    for (int i = 0; i < plan.members(); i++) {
      MemberSpec spec =
          new MemberSpec(
              name(i),
              clientPorts.get(i),
              peerPorts.get(i),
              plan.peerScheme(),
              directory,
              initial,
              plan.flags(),
              environment(i));
      members.add(new MemberProcess(plan.product(), spec));
      clients.add(MemberClient.connect(clientPorts.get(i)));
    }
  }

  /** Starts all members and waits until each serves. */
  static ProcessCluster start(ClusterPlan plan) {
    ProcessCluster cluster = new ProcessCluster(plan);
    LiveClusters.add(cluster);
    try {
      plan.snapshot().ifPresent(cluster::restoreAll);
      cluster.members.forEach(MemberProcess::start);
      for (int i = 0; i < plan.members(); i++) {
        cluster.awaitServing(i);
      }
      return cluster;
    } catch (RuntimeException | Error failed) {
      failed.addSuppressed(new AssertionError(cluster.logs()));
      cluster.close();
      throw failed;
    }
  }

  public int size() {
    return members.size();
  }

  public Product product() {
    return plan.product();
  }

  public MemberProcess member(int index) {
    return members.get(index);
  }

  public MemberClient client(int index) {
    return clients.get(index);
  }

  public List<MemberClient> clients() {
    return List.copyOf(clients);
  }

  /** {@code host:port} of one member, for clients. */
  public String endpoint(int index) {
    return members.get(index).spec().endpoint();
  }

  /** All endpoints, comma-separated. */
  public String endpoints() {
    return members.stream().map(m -> m.spec().endpoint()).collect(Collectors.joining(","));
  }

  /** Where members keep their data and logs; tests may put files here. */
  public Path directory() {
    return directory;
  }

  /** A member's metrics now. */
  public MemberMetrics metrics(int index) {
    try {
      return MemberMetrics.of(members.get(index).spec().clientUrl());
    } catch (IOException failed) {
      throw new UncheckedIOException("metrics of " + name(index), failed);
    }
  }

  /** The proxies between members, when the plan asked for them. */
  public PeerLinks links() {
    if (links == null) {
      throw new IllegalStateException("this cluster was planned without links");
    }
    return links;
  }

  /** Kills one member. */
  public void kill(int index) {
    members.get(index).kill();
  }

  /** Starts a member that is down and waits until it serves. */
  public void restart(int index) {
    members.get(index).start();
    awaitServing(index);
  }

  /** Makes one member's data directory out of a snapshot file; the member is down. */
  public void restoreFrom(int index, Path snapshot) {
    Restored.dataDirectory(plan.product(), members.get(index).spec(), snapshot);
  }

  private void restoreAll(Path snapshot) {
    for (int i = 0; i < size(); i++) {
      restoreFrom(i, snapshot);
    }
  }

  /** Starts members that are down, together, and waits until they serve. */
  public void restartAll(Set<Integer> indexes) {
    indexes.forEach(index -> members.get(index).start());
    indexes.forEach(this::awaitServing);
  }

  /**
   * Makes room for one more member, on ports of its own. It doesn't run, and nobody knows of it.
   *
   * @return its number
   */
  public int newcomer() {
    int index = members.size();
    int clientPort = Ports.free();
    MemberSpec spec =
        new MemberSpec(
            name(index),
            clientPort,
            Ports.free(),
            plan.peerScheme(),
            directory,
            "",
            plan.flags(),
            environment(index));
    members.add(new MemberProcess(plan.product(), spec));
    clients.add(MemberClient.connect(clientPort));
    return index;
  }

  /** Starts a newcomer in the cluster that is there, and waits for its ready line. */
  public void join(int index, String initialCluster) {
    MemberSpec spec = members.get(index).spec();
    List<String> flags = new ArrayList<>(plan.flags());
    flags.add("--initial-cluster-state=existing");
    members.get(index).respec(spec.among(initialCluster, flags));
    members.get(index).start();
    members.get(index).awaitReadyLine(READY);
    clients.get(index).redial();
  }

  /** Blocks until one member has printed its ready line and answers a linearizable read. */
  public void awaitServing(int index) {
    members.get(index).awaitReadyLine(READY);
    clients.get(index).redial();
    Await.until(
        "a linearizable read through " + name(index),
        READY,
        () -> clients.get(index).get("health").answered());
  }

  /** The leader that a majority of the given members agrees on. */
  public int awaitLeader(Set<Integer> among) {
    return Await.value("a leader among " + among, LEADER, () -> agreedLeader(among));
  }

  public int awaitLeader() {
    return awaitLeader(all());
  }

  /** The smallest member that isn't the given one. */
  public int otherThan(int index) {
    return index == 0 ? 1 : 0;
  }

  /** All members but one. */
  public Set<Integer> allBut(int index) {
    Set<Integer> rest = all();
    rest.remove(index);
    return rest;
  }

  private Set<Integer> all() {
    return IntStream.range(0, size()).boxed().collect(Collectors.toCollection(TreeSet::new));
  }

  private @Nullable Integer agreedLeader(Set<Integer> among) {
    Map<Long, Integer> byId = new HashMap<>();
    Map<Long, Integer> votes = new HashMap<>();
    for (int i : among) {
      MemberClient brief = clients.get(i).patient(Duration.ofSeconds(1));
      brief.redial();
      Attempt<StatusResponse> status = brief.status();
      if (status.answered()) {
        StatusResponse answer = status.answer();
        byId.put(answer.getHeader().getMemberId(), i);
        votes.merge(answer.getLeader(), 1, Integer::sum);
      }
    }
    for (Map.Entry<Long, Integer> vote : votes.entrySet()) {
      Integer leader = byId.get(vote.getKey());
      if (leader != null && vote.getValue() * 2 > among.size()) {
        return leader;
      }
    }
    return null;
  }

  /** Deletes all that a member keeps; it is down. */
  public void eraseData(int index) {
    delete(members.get(index).spec().dataDir().resolve("member"));
  }

  /** Copies what every member has printed so far into an existing directory. */
  public void keepLogs(Path to) {
    try {
      for (MemberProcess member : members) {
        Path log = directory.resolve(member.spec().name() + ".log");
        if (Files.exists(log)) {
          Files.copy(log, to.resolve(log.getFileName()), StandardCopyOption.REPLACE_EXISTING);
        }
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** The newest output of every member, for failure messages. */
  public String logs() {
    return members.stream()
        .map(m -> "---- " + m.spec().name() + " ----\n" + m.recentOutput())
        .collect(Collectors.joining("\n"));
  }

  @Override
  public void close() {
    LiveClusters.remove(this);
    clients.forEach(MemberClient::close);
    members.forEach(MemberProcess::close);
    if (links != null) {
      links.close();
    }
    disks.forEach(SmallDisk::close);
    delete(directory);
  }

  private Map<String, String> environment(int index) {
    Map<String, String> environment = new HashMap<>();
    String routes = links == null ? "" : " -Dtidemark.peer.routes=" + links.routesOf(index);
    environment.put("TIDEMARK_JVM_FLAGS", SHORT_LIVED + routes);
    Path jdk = plan.jdks().get(index);
    if (jdk != null) {
      environment.put("TIDEMARK_JAVA_HOME", jdk.toString());
    }
    return environment;
  }

  private static String name(int index) {
    return "m" + index;
  }

  private static Path temporaryDirectory() {
    try {
      Path parent = Path.of(System.getProperty("it.tmp", System.getProperty("java.io.tmpdir")));
      Files.createDirectories(parent);
      return Files.createTempDirectory(parent, "cluster");
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static void delete(Path tree) {
    try (Stream<Path> paths = Files.walk(tree)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException busy) {
      throw new UncheckedIOException("cannot delete " + tree, busy);
    }
  }
}
