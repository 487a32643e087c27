package io.tidemark.watch;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Watchers by their id, without an object for each entry: open addressing with the next free slot.
 * Thread: one.
 */
final class WatcherTable {
  private static final int GOLDEN = 0x9E3779B9;

  /** A power of two slots, at least a third of them free. */
  private @Nullable Watcher[] slots = new @Nullable Watcher[2];

  private int size;

  @Nullable Watcher get(long id) {
    return slots[slotOf(id)];
  }

  boolean contains(long id) {
    return get(id) != null;
  }

  /** Adds a watcher whose id isn't in the table. */
  void put(Watcher watcher) {
    if ((size + 1) * 3 > slots.length * 2) {
      grow();
    }
    int slot = slotOf(watcher.id);
    Invariants.check(slots[slot] == null, "watch id %s is taken", watcher.id);
    slots[slot] = watcher;
    size++;
  }

  @Nullable Watcher remove(long id) {
    int slot = slotOf(id);
    Watcher removed = slots[slot];
    if (removed == null) {
      return null;
    }
    slots[slot] = null;
    size--;
    // Whoever stands behind the gap because of it moves up.
    int mask = slots.length - 1;
    for (int i = (slot + 1) & mask; slots[i] != null; i = (i + 1) & mask) {
      Watcher moved = slots[i];
      slots[i] = null;
      slots[slotOf(moved.id)] = moved;
    }
    return removed;
  }

  /** Visits all; the table must not change meanwhile. */
  void forEach(Consumer<Watcher> visitor) {
    for (Watcher watcher : slots) {
      if (watcher != null) {
        visitor.accept(watcher);
      }
    }
  }

  private void grow() {
    @Nullable Watcher[] old = slots;
    slots = new @Nullable Watcher[old.length * 2];
    for (Watcher watcher : old) {
      if (watcher != null) {
        slots[slotOf(watcher.id)] = watcher;
      }
    }
  }

  /** Where the id is, or the free slot where it would be. */
  private int slotOf(long id) {
    int mask = slots.length - 1;
    int slot = ((Long.hashCode(id) * GOLDEN) >>> 7) & mask;
    for (Watcher at = slots[slot]; at != null && at.id != id; at = slots[slot]) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }
}
