package io.tidemark.raftcore.upkeep;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.raftcore.settings.UpkeepSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Which revision is given up when, as etcd's compactor does it. */
class CompactionScheduleTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** A schedule by time on a clock that the test moves; ten revisions are written a minute. */
  private static final class Watched {
    private final CompactionSchedule schedule;
    private final List<String> compactions = new ArrayList<>();
    private Duration now = Duration.ZERO;
    private boolean leads = true;
    private boolean succeeds = true;
    private boolean writes = true;
    private long revision = 1;

    Watched(Duration period) {
      this.schedule =
          CompactionSchedule.of(UpkeepSettings.NONE.keeping(period), 0, revision).orElseThrow();
    }

    /** Lets time pass, look by look. */
    Watched pass(Duration time) {
      Duration until = now.plus(time);
      while (now.compareTo(until) < 0) {
        now = now.plus(schedule.pause());
        revision = writes ? 1 + 10 * now.toMinutes() : revision;
        OptionalLong due = schedule.look(now.toNanos(), revision, leads);
        if (due.isPresent()) {
          compactions.add(now.toMinutes() + "m:" + due.getAsLong());
          if (succeeds) {
            schedule.done(now.toNanos(), due.getAsLong());
          }
        }
      }
      return this;
    }

    List<String> take() {
      List<String> taken = List.copyOf(compactions);
      compactions.clear();
      return taken;
    }
  }

  @Test
  void nothingConfiguredNothingDone() {
    assertEquals(Optional.empty(), CompactionSchedule.of(UpkeepSettings.NONE, 0, 1));
  }

  @Test
  void anHourIsKeptAndCompactedHourly() {
    Watched hour = new Watched(Duration.ofHours(1));
    assertEquals(MINUTE.multipliedBy(6), hour.schedule.pause());
    assertEquals(List.of(), hour.pass(MINUTE.multipliedBy(54)).take());
    assertEquals(List.of("60m:1"), hour.pass(MINUTE.multipliedBy(6)).take());
    assertEquals(List.of("120m:541", "180m:1141"), hour.pass(Duration.ofHours(2)).take());
  }

  @Test
  void aDayIsKeptAndCompactedHourlyAfterTheFirst() {
    Watched day = new Watched(Duration.ofHours(24));
    assertEquals(MINUTE.multipliedBy(6), day.schedule.pause());
    assertEquals(List.of("1440m:1"), day.pass(Duration.ofHours(24)).take());
    assertEquals(List.of("1500m:541", "1560m:1141"), day.pass(Duration.ofHours(2)).take());
  }

  @Test
  void lessThanAnHourIsCompactedOnceInItsOwnTime() {
    Watched half = new Watched(MINUTE.multipliedBy(30));
    assertEquals(MINUTE.multipliedBy(3), half.schedule.pause());
    assertEquals(List.of("30m:1", "60m:271"), half.pass(Duration.ofHours(1)).take());
    assertEquals(Duration.ofMillis(500), new Watched(Duration.ofSeconds(5)).schedule.pause());
    assertEquals(Duration.ofMillis(1), new Watched(Duration.ofNanos(1)).schedule.pause());
  }

  @Test
  void whatFailsIsTriedAgainAtTheNextLook() {
    Watched hour = new Watched(Duration.ofHours(1));
    hour.succeeds = false;
    assertEquals(List.of("60m:1", "66m:1", "72m:61"), hour.pass(MINUTE.multipliedBy(72)).take());
    hour.succeeds = true;
    assertEquals(List.of("78m:121"), hour.pass(MINUTE.multipliedBy(60)).take());
    assertEquals(List.of("138m:721"), hour.pass(MINUTE.multipliedBy(6)).take());
  }

  @Test
  void whoTakesOverHasKeptNotes() {
    Watched follower = new Watched(Duration.ofHours(1));
    follower.leads = false;
    assertEquals(List.of(), follower.pass(Duration.ofHours(3)).take());
    follower.leads = true;
    assertEquals(List.of("186m:1201"), follower.pass(MINUTE.multipliedBy(6)).take());
    follower.leads = false;
    assertEquals(List.of(), follower.pass(Duration.ofHours(2)).take());
  }

  @Test
  void aRevisionIsNotCompactedTwice() {
    Watched idle = new Watched(MINUTE.multipliedBy(30));
    assertEquals(List.of("30m:1"), idle.pass(MINUTE.multipliedBy(30)).take());
    idle.writes = false;
    assertEquals(List.of("60m:271"), idle.pass(MINUTE.multipliedBy(30)).take());
    assertEquals(List.of("90m:301"), idle.pass(MINUTE.multipliedBy(30)).take());
    assertEquals(List.of(), idle.pass(Duration.ofHours(5)).take());
  }

  @Test
  void revisionsAreKeptByNumber() {
    CompactionSchedule thousand =
        CompactionSchedule.of(UpkeepSettings.NONE.keeping(1000), 0, 1).orElseThrow();
    assertEquals(MINUTE.multipliedBy(5), thousand.pause());
    assertEquals(OptionalLong.empty(), thousand.look(0, 1000, true));
    assertEquals(OptionalLong.of(1), thousand.look(0, 1001, true));
    assertEquals(OptionalLong.of(500), thousand.look(0, 1500, true));
    thousand.done(0, 500);
    assertEquals(OptionalLong.empty(), thousand.look(0, 1500, true));
    assertEquals(OptionalLong.empty(), thousand.look(0, 1501, false));
    assertEquals(OptionalLong.of(501), thousand.look(0, 1501, true));
  }
}
