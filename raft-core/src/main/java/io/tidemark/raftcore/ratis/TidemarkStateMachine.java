package io.tidemark.raftcore.ratis;

import com.google.protobuf.ByteString;
import io.tidemark.mvcc.AppliedPosition;
import io.tidemark.raftcore.apply.ApplyListener;
import io.tidemark.raftcore.apply.Replica;
import io.tidemark.raftcore.faultpoint.FaultPoint;
import io.tidemark.raftcore.snapshot.SnapshotStorage;
import io.tidemark.statemachine.AppliedEntry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.util.LifeCycle;

/**
 * Ratis's state machine over a {@link Replica}.
 *
 * <p>The rules of Ratis that it keeps: it drives its own life cycle (the base class doesn't, and
 * installing a snapshot fails without); between {@code pause} and {@code reinitialize} entries are
 * inside the snapshot and passed over; an entry at or below the store's position is passed over;
 * nothing throws but a fault. Each method names its thread.
 */
final class TidemarkStateMachine extends BaseStateMachine {
  private static final CompletableFuture<Message> APPLIED =
      CompletableFuture.completedFuture(Message.EMPTY);

  private final Replica replica;
  private final SnapshotStorage storage;
  private final Path building;
  private final ApplyListener listener;
  private final LogEvents events;
  private final Map<Long, Submission> submissions = new ConcurrentHashMap<>();
  private volatile boolean paused;
  private volatile boolean stopping;

  TidemarkStateMachine(
      Replica replica,
      SnapshotStorage storage,
      Path building,
      ApplyListener listener,
      LogEvents events) {
    this.replica = replica;
    this.storage = storage;
    this.building = building;
    this.listener = listener;
    this.events = events;
  }

  /** Announces an entry that will be submitted under this call id. */
  Submission announce(long callId) {
    Submission submission = new Submission();
    submissions.put(callId, submission);
    return submission;
  }

  /** Ends {@link #announce}. */
  void forget(long callId) {
    submissions.remove(callId);
  }

  /** From now on Ratis's closing is wanted. */
  void expectClose() {
    stopping = true;
  }

  /** Thread: Ratis's start. The log opens after this and starts at the latest snapshot. */
  @Override
  public void initialize(RaftServer server, RaftGroupId group, RaftStorage raftStorage)
      throws IOException {
    super.initialize(server, group, raftStorage);
    storage.init(raftStorage);
    storage.publishAtStart(replica, building);
    AppliedPosition position = replica.applied();
    LogRemains.refuseGap(raftStorage, position.index());
    LogTail.cutIncomplete(raftStorage, position.index());
    LogRemains.dropIfBehind(raftStorage, position.index(), server.getProperties());
    setLastAppliedTermIndex(TermIndex.valueOf(position.term(), position.index()));
    running();
  }

  @Override
  public SnapshotStorage getStateMachineStorage() {
    return storage;
  }

  /** Thread: submitting. */
  @Override
  public TransactionContext startTransaction(RaftClientRequest request) {
    return TransactionContext.newBuilder()
        .setStateMachine(this)
        .setClientRequest(request)
        .setStateMachineContext(submissions.get(request.getCallId()))
        .build();
  }

  /**
   * Thread: submitting, under the log lock, in log order. Never throws: that would leak a permit.
   */
  @Override
  public TransactionContext preAppendTransaction(TransactionContext transaction) {
    if (transaction.getStateMachineContext() instanceof Submission submission) {
      submission.markAppended();
      FaultPoint.BEFORE_LEADER_APPEND.hit();
    }
    return transaction;
  }

  /** Thread: apply. */
  @Override
  public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
    LogEntryProto entry = transaction.getLogEntry();
    long index = entry.getIndex();
    if (paused || index <= getLastAppliedTermIndex().getIndex()) {
      return APPLIED;
    }
    try {
      ByteString bytes = SharedBytes.fromRatis(entry.getStateMachineLogEntry().getLogData());
      FaultPoint.BEFORE_APPLY_ENTRY.hit();
      long began = System.nanoTime();
      AppliedEntry applied = replica.apply(entry.getTerm(), index, bytes);
      FaultPoint.AFTER_APPLY_ENTRY.hit();
      setLastAppliedTermIndex(TermIndex.valueOf(entry.getTerm(), index));
      listener.applied(applied, index, bytes, began);
    } catch (RuntimeException | Error e) {
      events.fault("applying entry " + index, e);
      throw e;
    }
    return APPLIED;
  }

  /** Thread: apply. Entries of Ratis's own, which never reach {@link #applyTransaction}. */
  @Override
  public void notifyTermIndexUpdated(long term, long index) {
    if (paused || index <= getLastAppliedTermIndex().getIndex()) {
      return;
    }
    try {
      replica.advance(term, index);
      setLastAppliedTermIndex(TermIndex.valueOf(term, index));
      listener.advanced(index);
    } catch (RuntimeException | Error e) {
      events.fault("passing entry " + index, e);
      throw e;
    }
  }

  /** Thread: gRPC, under Ratis's lock, so no waiting for the apply thread here. */
  @Override
  public void pause() {
    paused = true;
    getLifeCycle().transition(LifeCycle.State.PAUSING);
    getLifeCycle().transition(LifeCycle.State.PAUSED);
  }

  /** Thread: apply. A snapshot was installed: its files stand in the snapshot directory. */
  @Override
  public void reinitialize() throws IOException {
    try {
      FaultPoint.BEFORE_OPEN_SNAPSHOT.hit();
      SnapshotStorage.Installed snapshot = storage.installed();
      replica.restore(snapshot.directory());
      AppliedPosition position = replica.applied();
      if (position.index() < snapshot.index()) {
        throw new IllegalStateException(
            "snapshot " + snapshot + " holds only " + position + ": refusing it");
      }
      setLastAppliedTermIndex(TermIndex.valueOf(position.term(), position.index()));
      FaultPoint.AFTER_APPLY_SNAPSHOT.hit();
      listener.restored(position.index());
      paused = false;
      running();
    } catch (IOException | RuntimeException | Error e) {
      events.fault("bringing in a snapshot", e);
      throw e;
    }
  }

  @Override
  public void notifyLeaderChanged(RaftGroupMemberId member, RaftPeerId leader) {
    events.leadershipChanged();
  }

  @Override
  public void notifyLeaderReady() {
    events.leadershipChanged();
  }

  /** The fate of the pending entries is unknown, not failed: nothing to tell anybody here. */
  @Override
  public void notifyNotLeader(Collection<TransactionContext> pending) {
    events.leadershipChanged();
  }

  /** Thread: log worker. Ratis would go on failing, possibly as the leader. */
  @Override
  public void notifyLogFailed(Throwable cause, LogEntryProto failedEntry) {
    if (!stopping) {
      events.fault("writing the log", cause);
    }
  }

  @Override
  public void notifyServerShutdown(RoleInfoProto role, boolean allServers) {
    unexpectedClose();
  }

  @Override
  public void close() {
    unexpectedClose();
    submissions.clear();
  }

  private void unexpectedClose() {
    if (!stopping) {
      events.groupClosed();
    }
  }

  private void running() {
    getLifeCycle().transition(LifeCycle.State.STARTING);
    getLifeCycle().transition(LifeCycle.State.RUNNING);
  }
}
