package io.tidemark.it.verdict;

import io.tidemark.api.mvccpb.Event;
import io.tidemark.it.load.Hold;
import io.tidemark.judge.EventLog;
import io.tidemark.judge.Violation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Judges who held a lock, by revision: at the revision of its turn a holder's key was in the queue,
 * and every key that had come before it was gone; no two held it at once. Near-linear.
 */
public final class LockChecker {
  /** A key's stay in the queue; deleted is exclusive. */
  private record Stay(long created, long deleted) {}

  private final Map<String, NavigableMap<Long, Stay>> byKey = new HashMap<>();

  /** By when everything that was created up to a revision had been deleted. */
  private final NavigableMap<Long, Long> goneBy = new TreeMap<>();

  private LockChecker(EventLog log, String prefix) {
    Map<String, Long> open = new HashMap<>();
    for (Event event : log.events()) {
      String key = event.getKv().getKey().toStringUtf8();
      if (key.startsWith(prefix)) {
        long revision = event.getKv().getModRevision();
        if (event.getType() == Event.EventType.PUT) {
          open.putIfAbsent(key, revision);
        } else {
          Long created = open.remove(key);
          stay(key, created == null ? 0 : created, revision);
        }
      }
    }
    open.forEach((key, created) -> stay(key, created, Long.MAX_VALUE));
    long gone = 0;
    for (Map.Entry<Long, Long> entry : goneBy.entrySet()) {
      gone = Math.max(gone, entry.getValue());
      entry.setValue(gone);
    }
  }

  private void stay(String key, long created, long deleted) {
    byKey.computeIfAbsent(key, k -> new TreeMap<>()).put(created, new Stay(created, deleted));
    goneBy.merge(created, deleted, Math::max);
  }

  /** Everything that is wrong; the lock's keys begin with {@code prefix}. */
  public static List<Violation> check(EventLog log, String prefix, List<Hold> holds) {
    LockChecker checker = new LockChecker(log, prefix);
    List<Violation> violations = new ArrayList<>();
    long free = 0;
    for (Hold hold : holds.stream().sorted(Comparator.comparingLong(Hold::fromRevision)).toList()) {
      Optional<Stay> mine = checker.stayOf(hold);
      if (mine.isEmpty()) {
        violations.add(violation(hold + " wasn't in the queue at its turn"));
        continue;
      }
      Map.Entry<Long, Long> before = checker.goneBy.lowerEntry(mine.get().created());
      if (before != null && before.getValue() > hold.fromRevision()) {
        violations.add(violation(hold + " before those were gone that had come first"));
      }
      if (hold.fromRevision() < free) {
        violations.add(violation(hold + " while another held it until " + free));
      }
      free = Math.max(free, mine.get().deleted());
    }
    return violations;
  }

  private Optional<Stay> stayOf(Hold hold) {
    NavigableMap<Long, Stay> stays = byKey.get(hold.key());
    Map.Entry<Long, Stay> entry = stays == null ? null : stays.floorEntry(hold.fromRevision());
    return entry == null || entry.getValue().deleted() <= hold.fromRevision()
        ? Optional.empty()
        : Optional.of(entry.getValue());
  }

  private static Violation violation(String detail) {
    return new Violation(Violation.Kind.TWO_HOLDERS, detail);
  }
}
