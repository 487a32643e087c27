package io.tidemark.it.chaosrun;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.history.Operation;
import io.tidemark.it.history.Workload;
import io.tidemark.it.load.Compactions;
import io.tidemark.it.load.Hold;
import io.tidemark.it.load.LeaderWatch;
import io.tidemark.it.load.LeaseClients;
import io.tidemark.it.load.LeaseLife;
import io.tidemark.it.load.LockClients;
import io.tidemark.it.load.WatchClients;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.tape.AccountKeeper;
import io.tidemark.it.tape.Tape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** All clients of a run, on all members. One thread starts and stops it. */
final class Load implements AutoCloseable {
  private static final Duration ONE_ANSWER = Duration.ofSeconds(2);
  private static final Duration THINK = Duration.ofMillis(8);
  private static final int KEY_CLIENTS = 12;
  private static final int KEYS = 10;
  private static final int WATCHERS = 4;
  private static final int CONTENDERS = 4;
  private static final int HOLDERS = 6;
  private static final Duration LEASES_END = Duration.ofSeconds(15);
  private static final Duration TOLD = Duration.ofSeconds(30);

  private final ProcessCluster cluster;
  private final List<AccountKeeper> accounts = new ArrayList<>();
  private final Workload keys;
  private final WatchClients watchers;
  private final LockClients contenders;
  private final LeaseClients holders;
  private final Compactions compactions;
  private final LeaderWatch leaders;

  /** What came of it. */
  record Result(
      List<Operation> operations,
      List<Tape> tapes,
      List<Hold> holds,
      List<LeaseLife> leases,
      List<Long> compactions,
      List<LeaderWatch.Said> leaders,
      long lastRevision) {}

  Load(ProcessCluster cluster, long seed) {
    this.cluster = cluster;
    List<MemberClient> members = cluster.clients();
    List<MemberClient> brief = members.stream().map(client -> client.patient(ONE_ANSWER)).toList();
    for (int member = 0; member < cluster.size(); member++) {
      int number = member;
      accounts.add(AccountKeeper.start(number, () -> cluster.client(number)));
    }
    this.keys = Workload.start("c", brief, KEY_CLIENTS, KEYS, seed).think(THINK);
    this.watchers = new WatchClients(members, WATCHERS, KEYS, this::newest, seed);
    this.contenders = new LockClients(members, CONTENDERS, seed);
    this.holders = new LeaseClients(members, HOLDERS, seed);
    this.compactions = new Compactions(members, this::told, seed);
    this.leaders = new LeaderWatch(members);
  }

  /** The newest revision that anybody has told of. */
  private long newest() {
    return accounts.stream().mapToLong(AccountKeeper::seen).max().orElse(0);
  }

  /** The newest revision that a majority has told of. */
  private long told() {
    return accounts.stream()
        .mapToLong(AccountKeeper::seen)
        .sorted()
        .skip((accounts.size() - 1) / 2)
        .findFirst()
        .orElse(0);
  }

  Workload keys() {
    return keys;
  }

  /** Stops all clients, waits until short leases are over and all accounts are complete. */
  Result stop() {
    List<Operation> operations = keys.stop();
    List<Long> compacted = compactions.stop();
    List<Tape> tapes = new ArrayList<>(watchers.stop());
    List<Hold> holds = contenders.stop();
    List<LeaseLife> leases = holders.stop();
    awaitLeasesEnd();
    long last = cluster.client(0).get("health").answer().getHeader().getRevision();
    accounts.forEach(account -> account.awaitRevision(last, TOLD));
    accounts.forEach(account -> tapes.addAll(account.stop()));
    return new Result(operations, tapes, holds, leases, compacted, leaders.stop(), last);
  }

  /** Those that don't end in time are found by their judge. */
  private void awaitLeasesEnd() {
    RangeRequest any =
        RangeRequest.newBuilder()
            .setKey(ByteString.copyFromUtf8(LeaseClients.PREFIX))
            .setRangeEnd(ByteString.copyFromUtf8("life0"))
            .setCountOnly(true)
            .build();
    long deadline = System.nanoTime() + LEASES_END.toNanos();
    while (System.nanoTime() < deadline) {
      var answer = cluster.client(0).range(any);
      if (answer.answered() && answer.answer().getCount() == 0) {
        return;
      }
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
  }

  @Override
  public void close() {
    keys.close();
    watchers.close();
    contenders.close();
    holders.close();
    compactions.close();
    leaders.close();
    accounts.forEach(AccountKeeper::close);
  }
}
