package io.tidemark.raftcore.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.api.etcdserverpb.LeaseRevokeRequest;
import io.tidemark.raftcore.peer.SendResult;
import io.tidemark.statemachine.Command;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random lives of leases under changing, sleeping and silent leaders, with a time that the test
 * moves, against what a client may rely on: a lease lives for its time after the sending of its
 * last answered renewal, and is over soon after that once somebody leads.
 */
class LeaseModelTest {
  private static final int SEEDS = Integer.getInteger("lease.seeds", 30);
  private static final long FIRST_SEED = Long.getLong("lease.seed", 1);
  private static final int STEPS = 120;

  /** The clock in the log may be a second behind, and a lease is looked for every 100 ms. */
  private static final long LATE_MILLIS = 1_300;

  @TempDir Path directory;

  @Test
  void noLeaseEndsEarlyAndEachEnds() {
    int expired = 0;
    for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
      try (KeeperRig rig = new KeeperRig(directory.resolve("seed" + seed))) {
        expired += new Run(rig, seed).run();
      }
    }
    assertTrue(expired > SEEDS, "leases expired: " + expired);
  }

  /** What a client knows of its lease, in milliseconds of the test's time. */
  private static final class Known {
    final long ttl;

    /** It must live until then. */
    long heldUntil;

    /** Time under a leader since anything may have renewed it, and what may have cost it time. */
    long ledMillis;

    long allowance = LATE_MILLIS;

    Known(long ttl, long now) {
      this.ttl = ttl;
      this.heldUntil = now + ttl;
    }

    void touched() {
      ledMillis = 0;
      allowance = LATE_MILLIS;
    }
  }

  private record Asked(long id, long sentAt, CompletableFuture<long[]> answer) {}

  private static final class Run {
    private final KeeperRig rig;
    private final Random random;
    private final String name;
    private final Map<Long, Known> leases = new HashMap<>();
    private final List<Asked> asked = new ArrayList<>();
    private long term;
    private long nextId = 1;
    private boolean leading;
    private int expired;

    Run(KeeperRig rig, long seed) {
      this.rig = rig;
      this.random = new Random(seed);
      this.name = "-Dlease.seed=" + seed + " -Dlease.seeds=1";
    }

    int run() {
      for (int step = 0; step < STEPS; step++) {
        act();
        check();
      }
      lead();
      live(20_000);
      check();
      assertEquals(Map.of(), leases, name);
      assertEquals(0, rig.machine.leases().size(), name);
      return expired;
    }

    private void act() {
      switch (random.nextInt(12)) {
        case 0, 1 -> grant();
        case 2, 3, 4 -> renew();
        case 5 -> revoke();
        case 6 -> changeLeader();
        case 7 -> sleep();
        case 8 -> lose();
        default -> live(100 + random.nextInt(1_500));
      }
    }

    private void grant() {
      long seconds = 2 + random.nextInt(5);
      rig.grant(nextId, seconds);
      leases.put(nextId, new Known(seconds * 1_000, rig.millis()));
      nextId++;
    }

    private void renew() {
      for (int i = 0; i < 1 + random.nextInt(3) && nextId > 1; i++) {
        long id = 1 + random.nextLong(nextId - 1);
        asked.add(new Asked(id, rig.millis(), rig.keeper.renew(new long[] {id})));
        Known known = leases.get(id);
        if (known != null) {
          known.touched();
        }
      }
    }

    private void revoke() {
      if (!leases.isEmpty()) {
        long id = leases.keySet().iterator().next();
        rig.apply(new Command.LeaseRevoke(LeaseRevokeRequest.newBuilder().setID(id).build()));
        leases.remove(id);
      }
    }

    /** What the old leader has on its way is lost, or comes too late, or just in time. */
    private void changeLeader() {
      List<KeeperRig.Sent> onTheirWay = List.copyOf(rig.sent);
      rig.sent.clear();
      if (random.nextBoolean()) {
        onTheirWay.forEach(rig::land);
        onTheirWay = List.of();
      }
      leading = false;
      rig.lead(-1);
      rig.pass(random.nextInt(3_000));
      rig.sent.clear();
      if (random.nextInt(3) > 0) {
        lead();
      }
      // Of an older term: whatever they say, nothing may come of it.
      onTheirWay.forEach(sent -> rig.apply(sent.entry()));
    }

    private void lead() {
      term += 2;
      leading = true;
      rig.lead(term);
      leases.values().forEach(known -> known.allowance += LATE_MILLIS);
    }

    private void sleep() {
      long millis = 300 + random.nextInt(3_000);
      rig.stall(millis);
      rig.settle();
      // It waits for renewals before it believes its clock again.
      leases.values().forEach(known -> known.allowance += 1_000);
    }

    private void lose() {
      rig.run();
      if (!rig.sent.isEmpty()) {
        rig.sent
            .remove()
            .answer()
            .complete(random.nextBoolean() ? SendResult.REFUSED : SendResult.UNKNOWN);
        rig.run();
        leases.values().forEach(known -> known.allowance += 1_000);
      }
    }

    private void live(long millis) {
      rig.live(millis);
      if (leading) {
        leases.values().forEach(known -> known.ledMillis += millis);
      }
    }

    private void check() {
      asked.removeIf(this::answered);
      assertTrue(rig.machine.leases().clock() <= rig.clock.now(), name);
      leases
          .entrySet()
          .removeIf(
              entry -> {
                Known known = entry.getValue();
                String what = name + ": lease " + entry.getKey() + " at " + rig.millis();
                if (rig.lives(entry.getKey())) {
                  assertTrue(
                      known.ledMillis <= known.ttl + known.allowance, () -> what + " lives on");
                  return false;
                }
                assertTrue(
                    rig.millis() >= known.heldUntil,
                    () -> what + " is gone, held until " + known.heldUntil);
                expired++;
                return true;
              });
    }

    private boolean answered(Asked question) {
      if (!question.answer.isDone()) {
        return false;
      }
      Known known = leases.get(question.id);
      if (!question.answer.isCompletedExceptionally() && known != null) {
        long ttl = question.answer.join()[0] * 1_000;
        if (ttl > 0) {
          assertEquals(known.ttl, ttl, name);
          known.heldUntil = Math.max(known.heldUntil, question.sentAt + ttl);
        }
      }
      return true;
    }
  }
}
