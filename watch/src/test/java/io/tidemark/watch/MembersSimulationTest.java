package io.tidemark.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.judge.EventLog;
import io.tidemark.mvcc.RevisionBatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three members with real stores that apply one log, each at its own pace, with snapshot installs
 * and restarts; watches that roam between them, beside streams that stay. No threads: the seed
 * decides on each step. {@code -Dwatch.seed=n} runs one seed, {@code -Dwatch.seeds=n} that many.
 */
final class MembersSimulationTest {
  private static final int MEMBERS = 3;
  private static final int STEPS = 1_500;

  @TempDir Path directory;

  @Test
  @Tag("simulation")
  void watchesResumeOnAnyMember() {
    play(Integer.getInteger("watch.seeds", 15));
  }

  @Test
  @Tag("long")
  void watchesResumeOnAnyMemberForLong() {
    play(300);
  }

  private void play(int seeds) {
    Long only = Long.getLong("watch.seed");
    long[] met = new long[5];
    for (long seed = only == null ? 1 : only; seed <= (only == null ? seeds : only); seed++) {
      try (Run run = new Run(seed, directory.resolve("seed" + seed))) {
        run.play();
        run.count(met);
      } catch (AssertionError | RuntimeException broken) {
        throw new AssertionError("-Dwatch.seed=" + seed, broken);
      }
    }
    assertTrue(
        only != null || Arrays.stream(met).allMatch(count -> count > 0),
        MembersSimulationTest::notMet);
  }

  private static String notMet() {
    return "a simulation without disk reads, overflows, compacted watches, progress or installs";
  }

  private static final class Run implements AutoCloseable {
    private final Random random;
    private final RandomWork work;
    private final Path directory;
    private final ModelHistory model = new ModelHistory();
    private final List<SimulatedMember.Entry> log = new ArrayList<>();
    private final List<SimulatedMember> members = new ArrayList<>();
    private final List<RoamingWatch> roaming = new ArrayList<>();
    private final int readPercent;
    private long now = Long.MAX_VALUE - 1_000; // close to where nanosecond clocks wrap

    Run(long seed, Path directory) {
      this.random = new Random(seed);
      this.work = new RandomWork(random);
      this.directory = directory;
      this.readPercent = 5 + random.nextInt(60);
      for (int i = 0; i < MEMBERS; i++) {
        Path place = directory.resolve("m" + i);
        createDirectories(place);
        members.add(new SimulatedMember(place, log, work.limits(), () -> now));
      }
      for (int i = 0; i < 4; i++) {
        roaming.add(new RoamingWatch(work.spec(random.nextInt(2), 0, random.nextBoolean())));
      }
    }

    private static void createDirectories(Path place) {
      try {
        Files.createDirectories(place);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    void play() {
      for (int step = 0; step < STEPS; step++) {
        step();
        members.forEach(SimulatedMember::checkGauges);
      }
      roaming.forEach(watch -> watch.move(any().open(model)));
      members.forEach(SimulatedMember::settle);
      EventLog events = model.log();
      for (SimulatedMember member : members) {
        assertEquals(model.revision(), member.revision());
        for (StreamProbe probe : member.probes()) {
          probe.checkComplete();
          probe.judge(events, model.revision());
        }
      }
      roaming.forEach(watch -> watch.check(model));
      for (SimulatedMember member : members) {
        List.copyOf(member.probes()).forEach(member::forget);
        member.run();
        member.checkNothingLeft();
      }
    }

    void count(long[] met) {
      for (SimulatedMember member : members) {
        WatchGauges gauges = member.watch().gauges();
        met[0] += gauges.diskRevisions();
        met[1] += gauges.overflows();
        met[2] += gauges.compactCancels();
        met[3] += gauges.progressAnswered();
        met[4] += member.installs();
      }
    }

    private void step() {
      int dice = random.nextInt(1_000);
      if (dice < 200) {
        write();
      } else if (dice < 400) {
        apply();
      } else if (dice < 550) {
        any().turn();
      } else if (dice < 620) {
        any().cursorTurn();
      } else if (dice < 820) {
        readSome();
      } else if (dice < 880) {
        create();
      } else if (dice < 920) {
        cancel();
      } else if (dice < 950) {
        ask();
      } else {
        rare(dice - 950);
      }
    }

    private void rare(int dice) {
      if (dice < 8) {
        compact();
      } else if (dice < 11) {
        any().install(any());
      } else if (dice < 13) {
        any().restart();
      } else if (dice < 25) {
        roam();
      } else if (dice < 32) {
        now += Duration.ofMillis(random.nextInt(400)).toNanos();
      } else if (dice < 36) {
        any().run();
      } else {
        openOrClose();
      }
    }

    private void write() {
      List<RevisionBatch> batches = new ArrayList<>();
      List<List<ModelHistory.Op>> commands = new ArrayList<>();
      int count = 1 + random.nextInt(4);
      for (int i = 0; i < count; i++) {
        List<ModelHistory.Op> ops = work.ops();
        RevisionBatch batch = model.write(ops);
        commands.add(ops);
        if (batch != null) {
          batches.add(batch);
        }
      }
      log.add(new SimulatedMember.Entry(batches, commands, 0));
    }

    private void compact() {
      long low = Math.max(1, model.compactRevision() + 1);
      long high = model.revision();
      if (low <= high) {
        long at = low + (long) (random.nextDouble() * (high - low + 1));
        model.compact(at);
        log.add(new SimulatedMember.Entry(List.of(), List.of(), at));
      }
    }

    private void apply() {
      SimulatedMember member = any();
      int entries = 1 + random.nextInt(8);
      for (int i = 0; i < entries; i++) {
        member.apply();
      }
    }

    private void readSome() {
      for (SimulatedMember member : members) {
        for (StreamProbe probe : member.probes()) {
          if (random.nextInt(100) < readPercent) {
            int count = random.nextInt(8);
            for (int i = 0; i < count; i++) {
              probe.read();
            }
          }
        }
      }
    }

    private void create() {
      SimulatedMember member = any();
      stream(member).create(work.spec(member.history()));
    }

    private void cancel() {
      StreamProbe probe = stream(any());
      List<Long> ids = new ArrayList<>(probe.all().keySet());
      if (!ids.isEmpty() && !roams(probe)) {
        long id = ids.get(random.nextInt(ids.size()));
        probe.cancel(id);
        if (random.nextBoolean()) {
          probe.create(WatchRig.watch(WatchRig.key("kz"), 0, id == 0 ? 7 : id));
        }
      }
    }

    private void ask() {
      stream(any()).progress();
    }

    /** Somebody's connection breaks, or its stream ended with a restart, and it goes elsewhere. */
    private void roam() {
      RoamingWatch watch = roaming.get(random.nextInt(roaming.size()));
      for (SimulatedMember member : members) {
        StreamProbe probe = watch.probe();
        if (probe != null && member.serves(probe)) {
          watch.takeIn();
          member.forget(probe);
        }
      }
      watch.move(any().open(model));
    }

    private void openOrClose() {
      SimulatedMember member = any();
      if (member.probes().size() < 5) {
        member.open(model);
        return;
      }
      StreamProbe probe = member.probes().get(random.nextInt(member.probes().size()));
      if (!roams(probe)) {
        member.forget(probe);
      }
    }

    private boolean roams(StreamProbe probe) {
      return roaming.stream().anyMatch(watch -> watch.probe() == probe);
    }

    private SimulatedMember any() {
      return members.get(random.nextInt(members.size()));
    }

    /** One of the member's streams; a roaming watch's own stream is left to it. */
    private StreamProbe stream(SimulatedMember member) {
      List<StreamProbe> shared = member.probes().stream().filter(probe -> !roams(probe)).toList();
      return shared.isEmpty() ? member.open(model) : shared.get(random.nextInt(shared.size()));
    }

    @Override
    public void close() {
      members.forEach(SimulatedMember::close);
      deleteTree(directory);
    }

    private static void deleteTree(Path tree) {
      try (var paths = Files.walk(tree)) {
        for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
