package io.tidemark.it.kv;

import io.tidemark.api.etcdserverpb.CompactionResponse;
import io.tidemark.api.mvccpb.Event;
import io.tidemark.it.client.Attempt;
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.client.WatchProbe;
import io.tidemark.it.rig.Replicas;
import java.util.List;

/**
 * Compacts at every tick to the revision that was current at the one before, but never beyond what
 * a witness, a watch from the first revision on, has seen: its events stay the whole history. The
 * ticking thread owns it; any thread may ask how far it came.
 */
final class Compactor {
  private final MemberClient member;
  private final WatchProbe witness;
  private long next;
  private volatile long compacted;
  private volatile String refusal = "";

  Compactor(MemberClient member, WatchProbe witness) {
    this.member = member;
    this.witness = witness;
  }

  void tick() {
    long target = Math.min(next, seen(witness));
    if (target > compacted) {
      Attempt<CompactionResponse> answer = member.compact(target);
      if (answer.answered()) {
        compacted = target;
      } else {
        refusal = answer.outcome();
      }
    }
    next = Replicas.localRevision(member);
  }

  /** The newest revision that was compacted. */
  long compacted() {
    return compacted;
  }

  /** Why the last refused compaction was; empty when none was. */
  String refusal() {
    return refusal;
  }

  private static long seen(WatchProbe witness) {
    List<Event> events = witness.events(0);
    return events.isEmpty() ? 0 : events.get(events.size() - 1).getKv().getModRevision();
  }
}
