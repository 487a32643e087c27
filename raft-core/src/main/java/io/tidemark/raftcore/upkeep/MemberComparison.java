package io.tidemark.raftcore.upkeep;

import io.tidemark.raftcore.peer.DigestQuestion;
import io.tidemark.raftcore.settings.UpkeepSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the leader compare what the members hold, at one revision and under one compact revision:
 * after each compaction, and now and then if that was asked for. Whose data differs from the
 * majority's gets the alarm of corruption, as in etcd; without a majority it is everybody's.
 *
 * <p>A compaction in the middle of a comparison ends it without a word; the next one follows.
 */
public final class MemberComparison {
  /** Nothing hangs on the tick but when a comparison begins. */
  public static final Duration TICK = Duration.ofMillis(200);

  private static final Logger LOG = LoggerFactory.getLogger(MemberComparison.class);

  private final String member;
  private final UpkeepSettings settings;
  private final DigestWays ways;
  private final LongSupplier nanos;
  private boolean busy;
  private long comparedCompaction = -1;
  private long lastAfterCompaction;
  private long lastAtAll;

  public MemberComparison(
      String member, UpkeepSettings settings, DigestWays ways, LongSupplier nanos) {
    this.member = member;
    this.settings = settings;
    this.ways = ways;
    this.nanos = nanos;
    this.lastAfterCompaction = nanos.getAsLong();
    this.lastAtAll = lastAfterCompaction;
  }

  /** Looks whether a comparison is due. */
  public void tick() {
    if (busy || !ways.leads()) {
      return;
    }
    long now = nanos.getAsLong();
    boolean any = isOver(settings.comparePeriod(), now, lastAtAll);
    boolean compaction = isOver(settings.compareAfterCompaction(), now, lastAfterCompaction);
    if (!any && !compaction) {
      return;
    }
    lastAfterCompaction = compaction ? now : lastAfterCompaction;
    lastAtAll = any ? now : lastAtAll;
    DigestQuestion question = ways.now();
    List<Long> members = ways.members();
    if (members.size() > 1 && (any || question.compactRevision() > comparedCompaction)) {
      compare(question, members);
    }
  }

  private static boolean isOver(Duration period, long now, long last) {
    return !period.isZero() && now - last >= period.toNanos();
  }

  private void compare(DigestQuestion question, List<Long> members) {
    busy = true;
    var unused =
        Round.ask(question, members, ways, ways::leads)
            .thenAccept(
                hashes -> {
                  busy = false;
                  judge(question, members.size(), hashes);
                });
  }

  private void judge(DigestQuestion question, int members, Map<Long, Integer> hashes) {
    Verdict verdict = Verdict.of(hashes, members);
    for (long corrupt : verdict.corrupt()) {
      LOG.error(
          "{}: data differs between members at revision {}, compacted {}: hashes {}; alarm for {}",
          member,
          question.revision(),
          question.compactRevision(),
          hex(hashes),
          Long.toHexString(corrupt));
      ways.alarm(corrupt);
    }
    if (verdict.corrupt().isEmpty() && hashes.size() == members) {
      comparedCompaction = question.compactRevision();
      LOG.info(
          "{}: all {} members hold the same at revision {}, compacted {}",
          member,
          members,
          question.revision(),
          question.compactRevision());
    }
  }

  /**
   * Compares this member with the others, once, whoever leads.
   *
   * @return the members that hold something else; those that can't be compared are left out
   */
  public static CompletableFuture<List<Long>> differing(DigestWays ways) {
    return Round.ask(ways.now(), ways.members(), ways, () -> true)
        .thenApply(
            hashes ->
                hashes.entrySet().stream()
                    .filter(
                        other ->
                            hashes.containsKey(ways.self())
                                && !other.getValue().equals(hashes.get(ways.self())))
                    .map(Map.Entry::getKey)
                    .toList());
  }

  private static List<String> hex(Map<Long, Integer> hashes) {
    return hashes.entrySet().stream()
        .map(
            entry -> Long.toHexString(entry.getKey()) + "=" + Integer.toHexString(entry.getValue()))
        .toList();
  }
}
