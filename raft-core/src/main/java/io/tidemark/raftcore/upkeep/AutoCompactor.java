package io.tidemark.raftcore.upkeep;

import com.google.protobuf.ByteString;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.CompactionRequest;
import io.tidemark.raftcore.propose.ProposalResult;
import io.tidemark.statemachine.Command;
import io.tidemark.statemachine.Outcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Proposes the compactions of a schedule, one at a time, while its member leads. */
public final class AutoCompactor {
  private static final Logger LOG = LoggerFactory.getLogger(AutoCompactor.class);

  private static final ProposalResult STOPPED = new ProposalResult.NotStarted(EtcdError.STOPPED);

  private final String member;
  private final CompactionSchedule schedule;
  private final Ways ways;
  private boolean busy;

  /**
   * What a compactor needs of its member. Calls don't block.
   *
   * @param nanos a clock that never goes back
   * @param revision the newest revision
   * @param leads whether this member leads
   * @param propose puts an encoded command into the log
   * @param thread the thread that owns the compactor
   */
  public record Ways(
      LongSupplier nanos,
      LongSupplier revision,
      BooleanSupplier leads,
      Function<ByteString, CompletableFuture<ProposalResult>> propose,
      Executor thread) {}

  public AutoCompactor(String member, CompactionSchedule schedule, Ways ways) {
    this.member = member;
    this.schedule = schedule;
    this.ways = ways;
  }

  /** Called once in the schedule's pause. */
  public void tick() {
    long revision = ways.revision.getAsLong();
    boolean may = ways.leads.getAsBoolean() && !busy;
    schedule.look(ways.nanos.getAsLong(), revision, may).ifPresent(this::compact);
  }

  private void compact(long revision) {
    busy = true;
    CompactionRequest request = CompactionRequest.newBuilder().setRevision(revision).build();
    var unused =
        ways.propose
            .apply(new Command.AutoCompact(request).encoded())
            .thenAcceptAsync(result -> ended(revision, result), ways.thread);
  }

  private void ended(long revision, ProposalResult result) {
    busy = false;
    if (isCompacted(result)) {
      schedule.done(ways.nanos.getAsLong(), revision);
      LOG.info("{}: history below revision {} is given up automatically", member, revision);
    } else if (!result.equals(STOPPED)) {
      LOG.warn("{}: automatic compaction to {} failed, tried again: {}", member, revision, result);
    }
  }

  /** Somebody else may have been quicker. */
  private static boolean isCompacted(ProposalResult result) {
    if (!(result instanceof ProposalResult.Applied applied)) {
      return false;
    }
    return applied.outcome() instanceof Outcome.Done
        || applied.outcome().equals(new Outcome.Rejected(EtcdError.COMPACTED));
  }
}
