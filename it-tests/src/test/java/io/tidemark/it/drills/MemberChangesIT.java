package io.tidemark.it.drills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.it.drills.ChangingCluster.Victim;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.support.Clusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Many changes of the members under writes, with members killed meanwhile: nothing acknowledged is
 * lost, at the end all hold the same, the member table too. {@code -Dit.seed=N} repeats a run,
 * {@code -Dit.changes=N} makes another number of changes.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class MemberChangesIT {
  private static final int MOST_VOTERS = 5;

  @RegisterExtension final Clusters clusters = Clusters.perTest();

  /** Five processes on two cores: a leader that is merely slow must not be voted out. */
  private ChangingCluster start(int members) {
    return new ChangingCluster(
        clusters.start(
            ClusterPlan.of(members).flags("--election-timeout=3000", "--heartbeat-interval=300")));
  }

  @Tag("drills")
  @Test
  void fourRandomChangesWithKills() {
    random(4, Long.getLong("it.seed", 10));
  }

  @Tag("long")
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  @Test
  void fiftyRandomChangesWithKills() {
    random(Integer.getInteger("it.changes", 50), Long.getLong("it.seed", System.nanoTime()));
  }

  private void random(int changes, long seed) {
    System.out.println(changes + " changes of members, seed " + seed);
    Random random = new Random(seed);
    ChangingCluster cluster = start(3);
    while (cluster.times().size() < changes) {
      step(cluster, random);
    }
    while (!cluster.learners().isEmpty()) {
      cluster.promote(any(cluster.learners(), random), any(cluster.voters(), random), null);
    }
    System.out.println(cluster.times().table(cluster.history()));
    cluster.assertAgreed();
  }

  private static void step(ChangingCluster cluster, Random random) {
    int through = any(cluster.voters(), random);
    Victim victim = victim(cluster, random);
    boolean few = cluster.voters().size() < 2;
    boolean many = cluster.voters().size() >= MOST_VOTERS;
    int dice = few ? random.nextInt(3) : many ? 3 + random.nextInt(4) : random.nextInt(7);
    if (!cluster.learners().isEmpty() && (dice == 2 || many)) {
      int learner = any(cluster.learners(), random);
      if (many) {
        cluster.remove(learner, through, victim);
      } else {
        cluster.promote(learner, through, victim);
      }
    } else if (dice < 2) {
      cluster.add(false, through, victim);
    } else if (dice == 2) {
      cluster.add(true, through, victim);
    } else if (dice == 3 && cluster.voters().size() >= 3) {
      int moving = any(cluster.voters(), random);
      cluster.move(moving, any(without(cluster.voters(), moving), random));
    } else if (dice == 6 && cluster.voters().size() >= 3) {
      int dead = any(cluster.voters(), random);
      cluster.replace(dead, any(without(cluster.voters(), dead), random));
    } else if (dice == 4) {
      int leader = cluster.leader();
      cluster.remove(leader, leader, notThat(victim, leader));
    } else {
      int removed = any(cluster.voters(), random);
      cluster.remove(removed, any(without(cluster.voters(), removed), random), victim);
    }
  }

  /** Half of the time somebody, if the others are a majority without it. */
  private static @Nullable Victim victim(ChangingCluster cluster, Random random) {
    boolean spares = cluster.voters().size() >= 3;
    int member = any(cluster.voters(), random);
    long afterNanos = TimeUnit.MILLISECONDS.toNanos(random.nextInt(200));
    return random.nextBoolean() && spares ? new Victim(member, afterNanos) : null;
  }

  private static @Nullable Victim notThat(@Nullable Victim victim, int member) {
    return victim == null || victim.member() == member ? null : victim;
  }

  private static Set<Integer> without(Set<Integer> some, int one) {
    Set<Integer> rest = new TreeSet<>(some);
    rest.remove(one);
    return rest;
  }

  private static int any(Set<Integer> some, Random random) {
    return List.copyOf(new TreeSet<>(some)).get(random.nextInt(some.size()));
  }

  @Tag("long")
  @Test
  void oneToFiveAndBackToOne() {
    ChangingCluster cluster = start(1);
    List<Integer> order = new ArrayList<>(List.of(0));
    for (int size = 1; size < MOST_VOTERS; size++) {
      boolean learner = size % 2 == 0;
      int fresh = cluster.add(learner, order.get(size - 1), null);
      if (learner) {
        cluster.promote(fresh, 0, null);
      }
      order.add(fresh);
    }
    assertEquals(MOST_VOTERS, cluster.voters().size());
    cluster.assertAgreed();
    cluster.killAndRestart(cluster.leader());
    while (cluster.voters().size() > 1) {
      int leader = cluster.leader();
      boolean itself = cluster.voters().size() % 2 == 1;
      int removed = itself ? leader : any(without(cluster.voters(), leader), new Random(1));
      cluster.remove(removed, leader, null);
    }
    System.out.println(cluster.times().table(cluster.history()));
    cluster.assertAgreed();
    assertTrue(cluster.history().size() > 100, () -> cluster.history().size() + " attempts");
  }
}
