package io.tidemark.raftcore.lease;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongPredicate;

/**
 * Lease ids by the time at which somebody should look at them, in slots of 100 ms.
 *
 * <p>A renewal costs nothing here: a lease that turns out to live on is put back under its new
 * time. About 12 bytes a lease. One thread.
 */
final class DueTimes {
  private static final long SLOT_MILLIS = 100;

  private final TreeMap<Long, Ids> slots = new TreeMap<>();

  void clear() {
    slots.clear();
  }

  /** Look at the lease when the clock shows {@code millis}, or up to a slot later. */
  void add(long millis, long id) {
    slots
        .computeIfAbsent(Math.floorDiv(millis + SLOT_MILLIS - 1, SLOT_MILLIS), s -> new Ids())
        .add(id);
  }

  /** Takes out what is due, one after the other, until the visitor says false. */
  void takeDue(long now, LongPredicate visitor) {
    long due = Math.floorDiv(now, SLOT_MILLIS);
    boolean more = true;
    while (more) {
      Map.Entry<Long, Ids> first = slots.firstEntry();
      if (first == null || first.getKey() > due) {
        return;
      }
      Ids ids = first.getValue();
      while (more && ids.size > 0) {
        more = visitor.test(ids.takeLast());
      }
      if (ids.size == 0) {
        slots.remove(first.getKey());
      }
    }
  }

  private static final class Ids {
    private long[] ids = new long[2];
    private int size;

    void add(long id) {
      if (size == ids.length) {
        ids = Arrays.copyOf(ids, size + size / 2 + 1);
      }
      ids[size++] = id;
    }

    long takeLast() {
      return ids[--size];
    }
  }
}
