package io.tidemark.ctl.compare;

import io.tidemark.ctl.bench.Admission;
import io.tidemark.ctl.bench.Endpoint;
import io.tidemark.ctl.bench.KeySpace;
import io.tidemark.ctl.bench.LoadFailure;
import io.tidemark.ctl.bench.MemberView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Three members of one contender on this machine. Blocking; main thread only. */
final class LocalCluster implements AutoCloseable {
  static final int MEMBERS = 3;

  private static final String HOST = "127.0.0.1";
  private static final Duration PROBE_DEADLINE = Duration.ofSeconds(5);
  private static final long POLL_MILLIS = 200;
  private static final long READY_NANOS = 180_000_000_000L;

  private static final Admission ROOT = new Admission(true, "root", "compare");

  private final Contender contender;
  private final List<Endpoint> endpoints = new ArrayList<>();
  private final List<MemberProcess> members = new ArrayList<>();
  private String version = "";

  private LocalCluster(Contender contender) {
    this.contender = contender;
  }

  /**
   * Starts the members: clients on {@code basePort} and the two next, peers ten above.
   *
   * @param secured under TLS with certificates that the members make themselves
   */
  static LocalCluster start(
      Contender contender, Path directory, int basePort, List<String> flags, boolean secured) {
    LocalCluster cluster = new LocalCluster(contender);
    try {
      Files.createDirectories(directory);
      for (int i = 0; i < MEMBERS; i++) {
        cluster.endpoints.add(
            new Endpoint(HOST, basePort + i, secured ? ROOT.unsigned() : Admission.OPEN));
        cluster.members.add(
            MemberProcess.start(
                contender.name() + i,
                command(contender, directory, basePort, i, flags, secured),
                directory.resolve("m" + i + ".log")));
      }
    } catch (IOException e) {
      cluster.close();
      throw new LoadFailure("preparing " + directory + ": " + e.getMessage(), e);
    } catch (LoadFailure e) {
      cluster.close();
      throw e;
    }
    return cluster;
  }

  /** The same flags for everybody. */
  static List<String> command(
      Contender contender,
      Path directory,
      int basePort,
      int member,
      List<String> flags,
      boolean secured) {
    String clientUrl = (secured ? "https://" : "http://") + HOST + ":" + (basePort + member);
    List<String> founders = new ArrayList<>();
    for (int i = 0; i < MEMBERS; i++) {
      founders.add("m" + i + "=" + url(basePort + 10 + i));
    }
    List<String> command = new ArrayList<>();
    command.add(contender.program());
    command.addAll(List.of("--name", "m" + member));
    command.addAll(List.of("--data-dir", directory.resolve("m" + member).toString()));
    command.addAll(List.of("--listen-client-urls", clientUrl));
    command.addAll(List.of("--advertise-client-urls", clientUrl));
    if (secured) {
      command.add("--auto-tls");
    }
    command.addAll(List.of("--listen-peer-urls", url(basePort + 10 + member)));
    command.addAll(List.of("--initial-advertise-peer-urls", url(basePort + 10 + member)));
    command.addAll(List.of("--initial-cluster", String.join(",", founders)));
    command.addAll(List.of("--initial-cluster-state", "new"));
    command.addAll(List.of("--initial-cluster-token", "compare-" + basePort));
    command.addAll(flags);
    return command;
  }

  private static String url(int port) {
    return "http://" + HOST + ":" + port;
  }

  Contender contender() {
    return contender;
  }

  List<Endpoint> endpoints() {
    return List.copyOf(endpoints);
  }

  String version() {
    return version;
  }

  /** Makes root, with a password, and asks everybody to sign in from now on. */
  void demandPasswords() {
    ROOT.demand(endpoints.get(0));
    endpoints.replaceAll(each -> each.by(ROOT));
  }

  /** Waits until all members agree on a leader and answer linearizable reads. */
  void awaitReady(KeySpace keys) throws InterruptedException {
    long deadline = System.nanoTime() + READY_NANOS;
    while (true) {
      try {
        leader();
        for (Endpoint endpoint : endpoints) {
          MemberView.read(endpoint, keys, PROBE_DEADLINE);
        }
        return;
      } catch (LoadFailure e) {
        if (System.nanoTime() > deadline) {
          throw e;
        }
        for (MemberProcess member : members) {
          member.requireAlive(POLL_MILLIS / MEMBERS);
        }
      }
    }
  }

  /** The number of the member that all members call leader. Failure: they don't agree. */
  int leader() {
    int leader = -1;
    long leaderId = 0;
    for (int i = 0; i < MEMBERS; i++) {
      MemberView view = MemberView.of(endpoints.get(i), PROBE_DEADLINE);
      version = view.version();
      if (view.leaderId() == 0 || (leaderId != 0 && leaderId != view.leaderId())) {
        throw new LoadFailure(contender.name() + ": no leader that all members agree on");
      }
      leaderId = view.leaderId();
      if (view.isLeader()) {
        leader = i;
      }
    }
    if (leader < 0) {
      throw new LoadFailure(contender.name() + ": the leader is not one of the members");
    }
    return leader;
  }

  /** All members together. */
  ProcUsage usage() {
    return members.stream().map(MemberProcess::usage).reduce(new ProcUsage(0, 0), ProcUsage::plus);
  }

  void pause() throws InterruptedException {
    for (MemberProcess member : members) {
      member.signal("STOP");
    }
  }

  void resume() throws InterruptedException {
    for (MemberProcess member : members) {
      member.signal("CONT");
    }
  }

  /** At once and without asking; for the shutdown hook. */
  void kill() {
    members.forEach(MemberProcess::kill);
  }

  @Override
  public void close() {
    members.forEach(MemberProcess::terminate);
    members.forEach(MemberProcess::close);
  }
}
