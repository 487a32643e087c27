package io.tidemark.raftcore.upkeep;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.raftcore.peer.DigestAnswer;
import io.tidemark.raftcore.peer.DigestQuestion;
import io.tidemark.raftcore.settings.UpkeepSettings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** When members are compared, who is asked how often, and whom the alarm names. */
class MemberComparisonTest {
  private static final DigestAnswer WORKING = new DigestAnswer.Later(true);
  private static final DigestAnswer BEHIND = new DigestAnswer.Later(false);
  private static final DigestAnswer NEVER = new DigestAnswer.Never();
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Cluster cluster = new Cluster();
  private final MemberComparison comparison = comparison(MINUTE, Duration.ZERO);

  private MemberComparison comparison(Duration afterCompaction, Duration period) {
    return new MemberComparison(
        "m1",
        UpkeepSettings.NONE.comparing(afterCompaction, period),
        cluster,
        () -> cluster.now.toNanos());
  }

  /** Three members whose answers the test says. */
  private static final class Cluster implements DigestWays {
    private final Map<Long, Deque<DigestAnswer>> answers = new HashMap<>();
    private final List<String> asked = new ArrayList<>();
    private final List<Long> alarms = new ArrayList<>();
    private final Deque<Runnable> later = new ArrayDeque<>();
    private Duration now = Duration.ZERO;
    private boolean leads = true;
    private long revision = 10;
    private long compacted = 5;

    /** What a member answers one time after the other; the last one stays. */
    void says(long member, DigestAnswer... inOrder) {
      answers.put(member, new ArrayDeque<>(List.of(inOrder)));
    }

    void allSay(int hash) {
      members().forEach(member -> says(member, new DigestAnswer.Hash(hash)));
    }

    /** Ticks after a minute, and runs what is put off. */
    void pass(MemberComparison comparison) {
      now = now.plus(MINUTE);
      comparison.tick();
      while (!later.isEmpty()) {
        later.remove().run();
      }
    }

    List<String> take() {
      List<String> taken = List.copyOf(asked);
      asked.clear();
      return taken;
    }

    @Override
    public long self() {
      return 1;
    }

    @Override
    public List<Long> members() {
      return List.of(1L, 2L, 3L);
    }

    @Override
    public boolean leads() {
      return leads;
    }

    @Override
    public DigestQuestion now() {
      return new DigestQuestion(revision, compacted);
    }

    @Override
    public CompletableFuture<DigestAnswer> ask(long member, DigestQuestion question) {
      asked.add(member + ":" + question.revision() + "/" + question.compactRevision());
      Deque<DigestAnswer> rest = answers.get(member);
      if (rest == null) {
        return CompletableFuture.failedFuture(new IllegalStateException("unreachable"));
      }
      return CompletableFuture.completedFuture(rest.size() > 1 ? rest.remove() : rest.getFirst());
    }

    @Override
    public void alarm(long member) {
      alarms.add(member);
    }

    @Override
    public void later(Runnable task) {
      later.add(task);
    }

    @Override
    public Executor thread() {
      return Runnable::run;
    }
  }

  @Test
  void onceAfterEachCompaction() {
    cluster.allSay(1);
    cluster.pass(comparison);
    assertEquals(List.of("1:10/5", "2:10/5", "3:10/5"), cluster.take());
    cluster.revision = 20;
    cluster.pass(comparison);
    assertEquals(List.of(), cluster.take(), "no compaction, nothing to compare");
    cluster.compacted = 15;
    cluster.pass(comparison);
    assertEquals(List.of("1:20/15", "2:20/15", "3:20/15"), cluster.take());
    assertEquals(List.of(), cluster.alarms);
  }

  @Test
  void neverWithoutACompactionAndNotBeforeItsTime() {
    cluster.allSay(1);
    cluster.compacted = -1;
    cluster.pass(comparison);
    assertEquals(List.of(), cluster.take());
    cluster.compacted = 5;
    comparison.tick();
    assertEquals(List.of(), cluster.take());
  }

  @Test
  void nowAndThenWhateverHappened() {
    MemberComparison hourly = comparison(Duration.ZERO, MINUTE.multipliedBy(2));
    cluster.allSay(1);
    cluster.compacted = -1;
    cluster.pass(hourly);
    assertEquals(List.of(), cluster.take());
    cluster.pass(hourly);
    assertEquals(List.of("1:10/-1", "2:10/-1", "3:10/-1"), cluster.take());
    cluster.pass(hourly);
    cluster.pass(hourly);
    assertEquals(List.of("1:10/-1", "2:10/-1", "3:10/-1"), cluster.take());
  }

  @Test
  void onlyByTheLeader() {
    cluster.allSay(1);
    cluster.leads = false;
    cluster.pass(comparison);
    assertEquals(List.of(), cluster.take());
  }

  @Test
  void theOddOneOutIsNamed() {
    cluster.allSay(1);
    cluster.says(3, new DigestAnswer.Hash(2));
    cluster.pass(comparison);
    assertEquals(List.of(3L), cluster.alarms);
    cluster.allSay(1);
    cluster.says(1, new DigestAnswer.Hash(2));
    cluster.pass(comparison);
    assertEquals(List.of(3L, 1L), cluster.alarms, "also when it is the leader itself");
  }

  @Test
  void whoIsAtWorkIsAskedAgainUntilItIsDone() {
    cluster.allSay(1);
    DigestAnswer[] slow = new DigestAnswer[101];
    Arrays.fill(slow, WORKING);
    slow[100] = new DigestAnswer.Hash(9);
    cluster.says(2, slow);
    cluster.pass(comparison);
    assertEquals(103, cluster.take().size(), "the others once, the slow one a hundred times more");
    assertEquals(List.of(2L), cluster.alarms);
  }

  @Test
  void whoIsSilentOrBehindIsGivenUpAndTriedTheNextTime() {
    cluster.allSay(1);
    cluster.says(2, BEHIND);
    cluster.answers.remove(3L);
    cluster.pass(comparison);
    assertEquals(1 + 6 + 6, cluster.take().size());
    cluster.allSay(1);
    cluster.pass(comparison);
    assertEquals(List.of("1:10/5", "2:10/5", "3:10/5"), cluster.take());
    cluster.pass(comparison);
    assertEquals(List.of(), cluster.take());
  }

  @Test
  void aCompactionInBetweenAccusesNobody() {
    cluster.allSay(1);
    cluster.says(1, NEVER);
    cluster.says(2, NEVER);
    cluster.says(3, new DigestAnswer.Hash(2));
    cluster.pass(comparison);
    assertEquals(List.of("1:10/5", "2:10/5", "3:10/5"), cluster.take());
    assertEquals(List.of(), cluster.alarms);
    cluster.allSay(1);
    cluster.compacted = 7;
    cluster.pass(comparison);
    assertEquals(List.of("1:10/7", "2:10/7", "3:10/7"), cluster.take());
  }

  @Test
  void aLeaderNoMoreBreaksOff() {
    cluster.allSay(1);
    cluster.says(2, WORKING);
    cluster.says(3, new DigestAnswer.Hash(2));
    cluster.now = MINUTE;
    comparison.tick();
    cluster.leads = false;
    cluster.later.remove().run();
    assertEquals(List.of(), List.copyOf(cluster.later));
    assertEquals(List.of(), cluster.alarms);
  }

  @Test
  void atTheStartOneComparesItselfWhoeverLeads() {
    cluster.leads = false;
    cluster.allSay(1);
    assertEquals(List.of(), MemberComparison.differing(cluster).join());
    cluster.says(3, new DigestAnswer.Hash(2));
    assertEquals(List.of(3L), MemberComparison.differing(cluster).join());
    cluster.says(3, NEVER);
    assertEquals(List.of(), MemberComparison.differing(cluster).join());
    cluster.says(1, NEVER);
    assertEquals(List.of(), MemberComparison.differing(cluster).join());
  }
}
