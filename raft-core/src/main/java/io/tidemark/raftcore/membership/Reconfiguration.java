package io.tidemark.raftcore.membership;

import io.tidemark.api.etcdserverpb.Member;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the group's configuration in line with the member table while this member leads: one step
 * at a time, tried again until done. A new member is added when its process shows up, so that one
 * that never comes costs nobody the quorum.
 *
 * <p>Thread: one, given at construction; {@link #tick} is called on it.
 */
public final class Reconfiguration {
  private static final Logger LOG = LoggerFactory.getLogger(Reconfiguration.class);

  private final long self;
  private final Group group;
  private final Supplier<List<Member>> table;
  private final LongFunction<CompletableFuture<Boolean>> presence;
  private final Executor thread;
  private final Set<Long> present = new HashSet<>();
  private final Set<Long> asked = new HashSet<>();
  private volatile boolean busy;

  /**
   * One that has done nothing yet.
   *
   * @param table the member table as it was last applied
   * @param presence asks whether a member runs; never completes exceptionally
   * @param thread the one that owns this object
   */
  public Reconfiguration(
      long self,
      Group group,
      Supplier<List<Member>> table,
      LongFunction<CompletableFuture<Boolean>> presence,
      Executor thread) {
    this.self = self;
    this.group = group;
    this.table = table;
    this.presence = presence;
    this.thread = thread;
  }

  /**
   * Whether a step is under way that began with an older table, perhaps. Exact on the owner thread.
   */
  public boolean busy() {
    return busy;
  }

  /** Looks whether there is something to do, and begins it. */
  public void tick() {
    if (!group.leads()) {
      present.clear();
      return;
    }
    if (busy) {
      return;
    }
    Composition now = group.composition();
    List<Member> members = table.get();
    if (!now.settled() || members.isEmpty()) {
      return;
    }
    NextStep step = NextStep.of(self, now, members, present);
    if (step instanceof NextStep.Change change) {
      LOG.info("{}: configuration {} becomes {}", Long.toHexString(self), text(now), text(change));
      busy = true;
      await(group.change(change.voters(), change.learners()));
    } else if (step instanceof NextStep.HandOver handOver) {
      LOG.info("{}: was removed and hands leadership over", Long.toHexString(self));
      busy = true;
      await(group.handOver(handOver.candidates()));
    } else if (step instanceof NextStep.Await await) {
      await.absent().forEach(this::ask);
    }
  }

  private void await(CompletableFuture<Boolean> done) {
    var unused =
        done.thenAcceptAsync(
            well -> {
              busy = false;
              present.clear(); // whoever wasn't added may be gone again
              if (well) {
                tick();
              }
            },
            thread);
  }

  private void ask(long id) {
    if (!asked.add(id)) {
      return;
    }
    var unused =
        presence
            .apply(id)
            .thenAcceptAsync(
                there -> {
                  asked.remove(id);
                  if (there) {
                    present.add(id);
                    tick();
                  }
                },
                thread);
  }

  private static String text(Composition composition) {
    return text(composition.voters(), composition.learners());
  }

  private static String text(NextStep.Change change) {
    return text(change.voters(), change.learners());
  }

  private static String text(Set<Long> voters, Set<Long> learners) {
    return hex(voters) + " and learners " + hex(learners);
  }

  private static List<String> hex(Set<Long> ids) {
    return ids.stream().sorted(Long::compareUnsigned).map(Long::toHexString).toList();
  }
}
