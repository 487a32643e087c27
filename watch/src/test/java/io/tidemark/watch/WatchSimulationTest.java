package io.tidemark.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.mvcc.RevisionBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random histories with random schedules, thread-free: writes, compactions, snapshot installs, slow
 * readers, cancels, reused ids, progress and closed streams. What each stream reads is checked
 * against the model by its probe. {@code -Dwatch.seed=n} runs one seed, {@code -Dwatch.seeds=n}
 * that many.
 */
final class WatchSimulationTest {
  private static final int STEPS = 700;

  @Test
  @Tag("simulation")
  void everyStreamKeepsThePromisesWhateverTheSchedule() {
    play(Integer.getInteger("watch.seeds", 300));
  }

  @Test
  @Tag("long")
  void everyStreamKeepsThePromisesForThreeMillionSteps() {
    play(3_000_000 / STEPS);
  }

  private static void play(int seeds) {
    Long only = Long.getLong("watch.seed");
    for (long seed = only == null ? 1 : only; seed <= (only == null ? seeds : only); seed++) {
      try {
        new Run(seed).play();
      } catch (AssertionError | RuntimeException broken) {
        throw new AssertionError("-Dwatch.seed=" + seed, broken);
      }
    }
  }

  private static final class Run {
    private final Random random;
    private final RandomWork work;
    private final WatchRig rig;
    private final List<StreamProbe> open = new ArrayList<>();
    private final int readPercent;

    Run(long seed) {
      this.random = new Random(seed);
      this.work = new RandomWork(random);
      this.rig = new WatchRig(work.limits());
      this.readPercent = 5 + random.nextInt(60);
    }

    void play() {
      for (int step = 0; step < STEPS; step++) {
        step();
        checkGauges();
      }
      rig.checkComplete();
      assertEquals(0, rig.store.gauges().queuedBytes(), "I8: bytes of empty queues");
      WatchGauges quiet = rig.store.gauges();
      assertEquals(quiet.watchers(), quiet.synced(), () -> "behind though quiet: " + quiet);
      open.forEach(probe -> probe.stream().close());
      rig.run();
      WatchGauges end = rig.store.gauges();
      assertEquals(
          List.of(0, 0, 0, 0, 0),
          List.of(end.streams(), end.watchers(), end.synced(), end.unsynced(), end.victims()),
          () -> "I8: drifted " + end);
      assertEquals(0, end.queuedBytes());
      assertEquals(0, end.pendingEvents());
      assertEquals(0, rig.model.openSnapshots());
    }

    private void checkGauges() {
      WatchGauges now = rig.store.gauges();
      assertEquals(now.watchers(), now.synced() + now.unsynced() + now.victims());
      long queued = open.stream().mapToLong(probe -> probe.stream().outbox().bytes()).sum();
      assertEquals(queued, now.queuedBytes(), "I8: accounted bytes");
    }

    private void step() {
      int dice = random.nextInt(100);
      if (dice < 30) {
        write();
      } else if (dice < 50) {
        rig.turn();
      } else if (dice < 58) {
        rig.cursorTurn();
      } else if (dice < 80) {
        readSome();
      } else if (dice < 88) {
        create();
      } else if (dice < 92) {
        cancel();
      } else if (dice < 95) {
        any().progress();
      } else {
        rare();
      }
    }

    private void rare() {
      switch (random.nextInt(6)) {
        case 0 -> compact();
        case 1 -> restore();
        case 2 -> rig.advance(Duration.ofMillis(random.nextInt(400)));
        case 3 -> openStream();
        case 4 -> close();
        default -> rig.run();
      }
    }

    private void write() {
      List<RevisionBatch> entry = new ArrayList<>();
      int commands = 1 + random.nextInt(4);
      for (int i = 0; i < commands; i++) {
        RevisionBatch batch = rig.model.write(work.ops());
        if (batch != null) {
          entry.add(batch);
        }
      }
      rig.store.publish(entry);
    }

    private void readSome() {
      for (StreamProbe probe : open) {
        if (random.nextInt(100) < readPercent) {
          int count = random.nextInt(8);
          for (int i = 0; i < count; i++) {
            probe.read();
          }
        }
      }
    }

    private void create() {
      any().create(work.spec(rig.model));
    }

    private void cancel() {
      StreamProbe probe = any();
      List<Long> ids = new ArrayList<>(probe.all().keySet());
      if (!ids.isEmpty()) {
        long id = ids.get(random.nextInt(ids.size()));
        probe.cancel(id);
        if (random.nextBoolean()) {
          // The same id at once for something else: nothing of the old watcher may show up.
          WatchSpec reuse = WatchRig.watch(WatchRig.key("kz"), 0, id == 0 ? 7 : id);
          probe.create(reuse);
        }
      }
    }

    private void compact() {
      long now = rig.model.revision();
      long low = Math.max(1, rig.model.compactRevision() + 1);
      if (low <= now) {
        rig.compact(low + (long) (random.nextDouble() * (now - low + 1)));
      }
    }

    private void restore() {
      int ahead = random.nextInt(40);
      for (int i = 0; i < ahead; i++) {
        rig.model.write(work.ops());
      }
      if (random.nextBoolean()) {
        long now = rig.model.revision();
        rig.model.compact(Math.max(rig.model.compactRevision(), now - random.nextInt(30)));
      }
      rig.store.restored();
      assertEquals(0, rig.store.gauges().synced(), "synced at the swap");
    }

    private void openStream() {
      if (open.size() < 5) {
        open.add(rig.open());
      }
    }

    private void close() {
      if (open.size() > 1) {
        StreamProbe probe = open.remove(random.nextInt(open.size()));
        rig.forget(probe);
        probe.stream().close();
        assertTrue(probe.readAll().isEmpty(), "a closed stream speaks");
      }
    }

    private StreamProbe any() {
      if (open.isEmpty()) {
        openStream();
      }
      return open.get(random.nextInt(open.size()));
    }
  }
}
