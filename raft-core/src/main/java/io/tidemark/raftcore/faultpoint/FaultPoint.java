package io.tidemark.raftcore.faultpoint;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A place in the code with a name. Where etcd has the same place, it is etcd's name. A hit costs
 * the read of one field while nothing is set.
 */
public final class FaultPoint {
  private static final Logger LOG = LoggerFactory.getLogger(FaultPoint.class);
  private static final Map<String, FaultPoint> ALL = new ConcurrentSkipListMap<>();

  /** Before an entry with commands is applied. Thread: apply. */
  public static final FaultPoint BEFORE_APPLY_ENTRY = new FaultPoint("beforeApplyOneEntryNormal");

  /** After an entry with commands was applied, before anybody is told. Thread: apply. */
  public static final FaultPoint AFTER_APPLY_ENTRY = new FaultPoint("afterApplyOneEntryNormal");

  /** Before the leader takes an entry into its log. Thread: submitting, under the log's lock. */
  public static final FaultPoint BEFORE_LEADER_APPEND = new FaultPoint("raftBeforeLeaderAppend");

  /** Before a received snapshot is opened. Thread: apply. */
  public static final FaultPoint BEFORE_OPEN_SNAPSHOT = new FaultPoint("applyBeforeOpenSnapshot");

  /** Before the store that was made of a snapshot becomes the live one. Thread: apply. */
  public static final FaultPoint BEFORE_APPLY_SNAPSHOT = new FaultPoint("raftBeforeApplySnap");

  /** After that. Thread: apply. */
  public static final FaultPoint AFTER_APPLY_SNAPSHOT = new FaultPoint("raftAfterApplySnap");

  /** Before a checkpoint becomes the member's latest snapshot. Thread: background. */
  public static final FaultPoint BEFORE_PUBLISH = new FaultPoint("checkpointBeforePublish");

  /** After that, before the log before it goes. Thread: background. */
  public static final FaultPoint BEFORE_PURGE = new FaultPoint("checkpointBeforePurge");

  /** After a compaction is in the store, before history goes. Thread: apply. */
  public static final FaultPoint AFTER_COMPACT =
      new FaultPoint("compactAfterCommitScheduledCompact");

  private static volatile Consumer<String> ending =
      message -> {
        throw new IllegalStateException(message);
      };

  private final String name;
  private final AtomicLong hits = new AtomicLong();
  private volatile @Nullable FaultTerms terms;

  private FaultPoint(String name) {
    this.name = name;
    ALL.put(name, this);
  }

  /** What {@code panic} does; unless told it throws. Only a program's main may end the process. */
  public static void endBy(Consumer<String> how) {
    ending = how;
  }

  /** Does what was set, if anything. May block, throw or not return. */
  public void hit() {
    FaultTerms set = terms;
    if (set != null) {
      act(set.next());
    }
  }

  private void act(FaultTerms.Effect effect) {
    if (effect.kind() == FaultTerms.Kind.OFF) {
      return;
    }
    hits.incrementAndGet();
    LOG.warn("fault point {}: {}", name, effect);
    switch (effect.kind()) {
      case SLEEP -> pause(effect.time());
      case PANIC -> ending.accept("failpoint panic: " + name);
      case PRINT, OFF -> {}
    }
  }

  private static void pause(Duration time) {
    long deadline = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = deadline - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  /** The point of that name. */
  static Optional<FaultPoint> named(String name) {
    return Optional.ofNullable(ALL.get(name));
  }

  /** What is set at each point, by name; empty where nothing is. */
  static Map<String, String> list() {
    Map<String, String> all = new TreeMap<>();
    ALL.forEach((name, point) -> all.put(name, point.terms()));
    return all;
  }

  /** What is set; empty if nothing is. */
  String terms() {
    FaultTerms set = terms;
    return set == null ? "" : set.toString();
  }

  /** How often it did something since it was set. */
  long hits() {
    return hits.get();
  }

  /**
   * Sets it.
   *
   * @throws IllegalArgumentException if that can't be read
   */
  void set(String text) {
    FaultTerms parsed = FaultTerms.parse(text);
    hits.set(0);
    terms = parsed;
  }

  /** Nothing is set any more. */
  void clear() {
    terms = null;
  }
}
