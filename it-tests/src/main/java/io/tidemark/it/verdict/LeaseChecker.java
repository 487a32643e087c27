package io.tidemark.it.verdict;

import io.tidemark.api.mvccpb.Event;
import io.tidemark.it.load.LeaseLife;
import io.tidemark.it.nemesis.FaultRecord;
import io.tidemark.it.process.Patience;
import io.tidemark.judge.Violation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Judges leases: none ends before its time to live has passed since its last answered renewal was
 * sent; none much later than that, unless a fault was on meanwhile: then its time counts from when
 * all members were ready again, as a renewal may have waited in one of them.
 */
public final class LeaseChecker {
  /** The clock's interval in the log, an election, and two seconds. */
  private static final Duration LATE_MAX = Patience.stretch(Duration.ofSeconds(1 + 2 + 2));

  private final Map<String, Long> goneAt = new HashMap<>();
  private final List<FaultRecord> faults;
  private final long endedNanos;
  private final Duration lateMax;

  private LeaseChecker(
      Account account, List<FaultRecord> faults, long endedNanos, Duration lateMax) {
    this.lateMax = lateMax;
    this.faults = faults;
    this.endedNanos = endedNanos;
    for (Event event : account.log().events()) {
      if (event.getType() == Event.EventType.DELETE) {
        Long told = account.firstTold().get(event.getKv().getModRevision());
        if (told != null) {
          goneAt.putIfAbsent(event.getKv().getKey().toStringUtf8(), told);
        }
      }
    }
  }

  /** Everything that is wrong. Keys of leases are used once. */
  public static List<Violation> check(
      Account account, List<LeaseLife> leases, List<FaultRecord> faults, long endedNanos) {
    return check(account, leases, faults, endedNanos, LATE_MAX);
  }

  /** The same with another bound for being late. */
  static List<Violation> check(
      Account account,
      List<LeaseLife> leases,
      List<FaultRecord> faults,
      long endedNanos,
      Duration lateMax) {
    LeaseChecker checker = new LeaseChecker(account, faults, endedNanos, lateMax);
    List<Violation> violations = new ArrayList<>();
    leases.forEach(lease -> checker.judge(lease, violations));
    return violations;
  }

  private void judge(LeaseLife lease, List<Violation> violations) {
    long ttl = Duration.ofSeconds(lease.ttlSeconds()).toNanos();
    long gone = goneAt.getOrDefault(lease.key(), endedNanos);
    boolean ended = goneAt.containsKey(lease.key());
    if (ended && gone - lease.answeredSentNanos() < ttl) {
      violations.add(
          new Violation(
              Violation.Kind.LEASE_EARLY,
              lease
                  + " ended "
                  + Duration.ofNanos(gone - lease.answeredSentNanos())
                  + " after its last answered renewal was sent"));
    }
    long due = lease.lastTryNanos() + ttl;
    for (FaultRecord fault : faults) {
      long ready = fault.readyNanos() == 0 ? Long.MAX_VALUE / 2 : fault.readyNanos();
      if (fault.beganNanos() <= due + lateMax.toNanos() && ready >= lease.lastTryNanos()) {
        due = Math.max(due, ready + ttl);
      }
    }
    if (gone - due > lateMax.toNanos()) {
      violations.add(
          new Violation(
              Violation.Kind.LEASE_LATE,
              lease
                  + (ended ? " ended " : " was there still ")
                  + Duration.ofNanos(gone - due)
                  + " after it was due"));
    }
  }
}
