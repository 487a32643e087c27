package io.tidemark.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class WatcherTableTest {
  @Test
  void holdsWhatAMapHolds() {
    WatchRig rig = new WatchRig(WatchRig.SMALL);
    WatchStream stream = rig.store.open(() -> {});
    WatchSpec spec = WatchRig.watch(WatchRig.key("a"), 0);
    for (int seed = 1; seed <= 50; seed++) {
      Random random = new Random(seed);
      Map<Long, Watcher> expected = new HashMap<>();
      WatcherTable table = new WatcherTable();
      for (int step = 0; step < 2_000; step++) {
        // Near ids, as servers choose them, and some from anywhere, as clients may.
        long id = random.nextInt(4) == 0 ? random.nextLong() & ~63L : random.nextInt(200);
        if (random.nextBoolean()) {
          assertSame(expected.remove(id), table.remove(id), "seed " + seed);
        } else if (!table.contains(id)) {
          Watcher watcher = new Watcher(stream, id, spec, step, 1);
          expected.put(id, watcher);
          table.put(watcher);
        }
        assertSame(expected.get(id), table.get(id), "seed " + seed);
      }
      Set<Watcher> visited = new HashSet<>();
      table.forEach(visited::add);
      assertEquals(new HashSet<>(expected.values()), visited, "seed " + seed);
    }
  }
}
