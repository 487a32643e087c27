package io.tidemark.it.drills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.api.etcdserverpb.MemberListResponse;
import io.tidemark.it.client.Attempt;
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.drills.ChangeTimes.Kind;
import io.tidemark.it.history.Operation;
import io.tidemark.it.history.Workload;
import io.tidemark.it.process.Await;
import io.tidemark.it.process.MemberProcess;
import io.tidemark.it.process.MemberSpec;
import io.tidemark.it.process.Patience;
import io.tidemark.it.process.Ports;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.rig.Replicas;
import io.tidemark.it.support.Judged;
import io.tidemark.judge.EventLog;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A cluster whose members are changed one after the other under writes through all of them, and
 * what it should look like. A member may be killed while a change is asked for; it is started again
 * before the change is settled. One thread.
 */
final class ChangingCluster {
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final int CLIENTS = 4;
  private static final int KEYS = 5;

  /** About 400 changes a second: a lone leader at full rate outruns any newcomer on two cores. */
  private static final Duration THINK = Duration.ofMillis(10);

  private final ProcessCluster cluster;
  private final Set<Integer> voters = new TreeSet<>();
  private final Set<Integer> learners = new TreeSet<>();
  private final Map<Integer, Long> ids = new HashMap<>();
  private final List<Operation> history = new ArrayList<>();
  private final ChangeTimes times = new ChangeTimes();
  private int loads;

  ChangingCluster(ProcessCluster cluster) {
    this.cluster = cluster;
    for (int i = 0; i < cluster.size(); i++) {
      voters.add(i);
      ids.put(i, cluster.client(i).status().answer().getHeader().getMemberId());
    }
  }

  /**
   * Somebody to kill while a change is asked for.
   *
   * @param member who
   * @param afterNanos how long after the request was sent
   */
  record Victim(int member, long afterNanos) {}

  Set<Integer> voters() {
    return voters;
  }

  Set<Integer> learners() {
    return learners;
  }

  List<Operation> history() {
    return history;
  }

  ChangeTimes times() {
    return times;
  }

  int leader() {
    return cluster.awaitLeader(voters);
  }

  /** Adds a member and starts it; gives its number. */
  int add(boolean learner, int through, @Nullable Victim victim) {
    int fresh = cluster.newcomer();
    Kind kind = learner ? Kind.ADD_LEARNER : Kind.ADD_VOTER;
    underWrites(
        kind,
        () -> added(kind, fresh, through, victim),
        () -> {
          cluster.join(fresh, initialCluster(fresh));
          (learner ? learners : voters).add(fresh);
          awaitServing(fresh);
          awaitBack(victim);
        });
    return fresh;
  }

  private void added(Kind kind, int fresh, int through, @Nullable Victim victim) {
    URI url = cluster.member(fresh).spec().peerUrl();
    boolean learner = kind == Kind.ADD_LEARNER;
    settle(
        kind + " of m" + fresh,
        through,
        victim,
        client -> client.memberAdd(url, learner),
        () -> at(url).isPresent());
    Member row = at(url).orElseThrow();
    assertEquals(learner, row.getIsLearner());
    ids.put(fresh, row.getID());
  }

  /** Another member takes the place of one that died; that one hears of it when it comes back. */
  void replace(int dead, int through) {
    long id = id(dead);
    cluster.kill(dead);
    voters.remove(dead);
    int fresh = cluster.newcomer();
    underWrites(
        Kind.REPLACE,
        () -> {
          settle(
              "removal of the dead m" + dead,
              through,
              null,
              client -> client.memberRemove(id),
              () -> row(id).isEmpty());
          added(Kind.REPLACE, fresh, through, null);
        },
        () -> {
          cluster.join(fresh, initialCluster(fresh));
          voters.add(fresh);
          awaitServing(fresh);
        });
    cluster.member(dead).start();
    awaitFarewell(dead);
  }

  void promote(int learner, int through, @Nullable Victim victim) {
    long id = id(learner);
    underWrites(
        Kind.PROMOTE,
        () -> {
          settle(
              "promotion of m" + learner,
              through,
              victim,
              client -> client.memberPromote(id),
              () -> row(id).filter(member -> !member.getIsLearner()).isPresent());
          learners.remove(learner);
          voters.add(learner);
        },
        () -> {
          awaitServing(learner);
          awaitBack(victim);
        });
  }

  /** Removes a member, which says so and ends. */
  void remove(int member, int through, @Nullable Victim victim) {
    long id = id(member);
    boolean leads = voters.contains(member) && leader() == member;
    underWrites(
        leads ? Kind.REMOVE_LEADER : Kind.REMOVE,
        () -> {
          voters.remove(member); // who is asked whether it is done must be another one
          learners.remove(member);
          settle(
              "removal of m" + member,
              through,
              victim,
              client -> client.memberRemove(id),
              () -> row(id).isEmpty());
        },
        () -> awaitBack(victim));
    awaitFarewell(member);
  }

  private void awaitFarewell(int member) {
    MemberProcess process = cluster.member(member);
    assertEquals(0, process.awaitExit(Patience.stretch(LIMIT)), process::recentOutput);
    assertTrue(
        process.recentOutput().contains("has been permanently removed from the cluster"),
        process::recentOutput);
  }

  /** Stops a member, has it moved to another port, and starts it there. */
  void move(int member, int through) {
    long id = id(member);
    URI url = URI.create("http://127.0.0.1:" + Ports.free());
    cluster.kill(member);
    underWrites(
        Kind.MOVE,
        () ->
            settle(
                "move of m" + member,
                through,
                null,
                client -> client.memberUpdate(id, url),
                () -> at(url).isPresent()),
        () -> {
          MemberSpec spec = cluster.member(member).spec();
          List<String> flags = new ArrayList<>(spec.flags());
          flags.removeIf(flag -> flag.startsWith("--listen-peer-urls="));
          flags.add("--listen-peer-urls=" + url);
          cluster.member(member).respec(spec.among(spec.initialCluster(), flags));
          cluster.member(member).start();
          awaitServing(member);
        });
  }

  /** Kills a member and starts it again, under writes. */
  void killAndRestart(int member) {
    try (Workload load = load()) {
      load.awaitChanges(CLIENTS, LIMIT);
      cluster.kill(member);
      cluster.member(member).start();
      awaitServing(member);
      load.awaitChanges(CLIENTS, LIMIT);
      history.addAll(load.stop());
    }
  }

  private interface Request {
    Attempt<?> ask(MemberClient client);
  }

  private void underWrites(Kind kind, Runnable change, Runnable rest) {
    try (Workload load = load()) {
      load.awaitChanges(CLIENTS, LIMIT);
      long began = System.nanoTime();
      change.run();
      long answered = System.nanoTime();
      rest.run();
      times.add(new ChangeTimes.Change(kind, began, answered, System.nanoTime()));
      load.awaitChanges(CLIENTS, LIMIT);
      history.addAll(load.stop());
    }
  }

  private Workload load() {
    List<MemberClient> through = voters.stream().map(cluster::client).toList();
    return Workload.start("w" + loads + "-", through, CLIENTS, KEYS, loads++).think(THINK);
  }

  /** Asks until the table shows what is wanted: an answer may be lost, or be a refusal for now. */
  private void settle(
      String what, int through, @Nullable Victim victim, Request request, BooleanSupplier done) {
    CompletableFuture<Attempt<?>> asked =
        CompletableFuture.supplyAsync(() -> request.ask(cluster.client(through)));
    if (victim != null) {
      LockSupport.parkNanos(victim.afterNanos()); // a fault comes when it likes
      cluster.kill(victim.member());
    }
    String first = asked.join().outcome();
    if (victim != null) {
      cluster.member(victim.member()).start();
    }
    Await.until(
        what + ", first answered " + first,
        LIMIT,
        () -> done.getAsBoolean() || (request.ask(anyClient()).answered() && done.getAsBoolean()));
  }

  private void awaitBack(@Nullable Victim victim) {
    if (victim != null
        && (voters.contains(victim.member()) || learners.contains(victim.member()))) {
      awaitServing(victim.member());
    }
  }

  /** A client of a voter that answers now. */
  private MemberClient anyClient() {
    return Await.value(
        "a member that answers",
        LIMIT,
        () -> {
          for (int voter : voters) {
            MemberClient client = cluster.client(voter);
            client.redial();
            if (client.patient(Duration.ofSeconds(8)).memberList().answered()) {
              return client;
            }
          }
          return null;
        });
  }

  private List<Member> table() {
    return Await.value(
        "the member table",
        LIMIT,
        () -> {
          Attempt<MemberListResponse> list = anyClient().memberList();
          return list.answered() ? list.answer().getMembersList() : null;
        });
  }

  private Optional<Member> row(long id) {
    return table().stream().filter(m -> m.getID() == id).findFirst();
  }

  private Optional<Member> at(URI peerUrl) {
    return table().stream()
        .filter(m -> m.getPeerURLsList().contains(peerUrl.toString()))
        .findFirst();
  }

  private long id(int member) {
    return Objects.requireNonNull(ids.get(member), () -> "m" + member + " was never added");
  }

  private String initialCluster(int fresh) {
    String name = cluster.member(fresh).spec().name();
    return table().stream()
        .map(m -> (m.getName().isEmpty() ? name : m.getName()) + "=" + m.getPeerURLs(0))
        .collect(Collectors.joining(","));
  }

  private void awaitServing(int member) {
    if (voters.contains(member)) {
      cluster.awaitServing(member);
      return;
    }
    cluster.member(member).awaitReadyLine(LIMIT);
    MemberClient client = cluster.client(member);
    client.redial();
    Await.until("a read of learner m" + member, LIMIT, () -> client.getLocal("key0").answered());
  }

  /**
   * What all members hold, which is the same, the member table too; every history fits it.
   *
   * @throws AssertionError if not; learners have to be promoted or removed before
   */
  Replicas.State assertAgreed() {
    assertEquals(Set.of(), learners);
    MemberClient first = cluster.client(voters.iterator().next());
    long revision = first.get("health").answer().getHeader().getRevision();
    Replicas.State state = Replicas.state(first, revision);
    List<Member> table = first.memberList().answer().getMembersList();
    assertEquals(
        voters.stream().map(this::id).sorted().toList(),
        table.stream().map(Member::getID).sorted().toList());
    for (int voter : voters) {
      assertEquals(state, Replicas.state(cluster.client(voter), revision), () -> "m" + voter);
      Await.until(
          "the member table on m" + voter,
          LIMIT,
          () -> cluster.client(voter).memberList().answer().getMembersList().equals(table));
    }
    Judged.assertHistory(new EventLog(state.events()), history);
    return state;
  }
}
