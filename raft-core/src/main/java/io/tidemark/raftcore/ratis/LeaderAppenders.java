package io.tidemark.raftcore.ratis;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.raftcore.metrics.PeerTraffic;
import io.tidemark.raftcore.read.Follower;
import io.tidemark.raftcore.read.ReadIndexRounds;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.server.leader.LogAppender;
import org.apache.ratis.server.leader.LogAppenderBase;
import org.jspecify.annotations.Nullable;

/**
 * The log appenders of this member's leadership, the newest per follower.
 *
 * <p>Ratis makes one appender per follower and leadership, and a new one when it restarts an
 * appender inside a term; call ids start anew with each. So everything is kept by the appender's
 * identity. Appenders of an ended leadership stay until replaced: triggering them does nothing.
 * Thread-safe; called on gRPC threads and under Ratis's server lock.
 */
final class LeaderAppenders {
  private final Map<String, TrackedAppender> byFollower = new ConcurrentHashMap<>();
  private final PeerTraffic traffic;
  private volatile @Nullable ReadIndexRounds rounds;

  LeaderAppenders(PeerTraffic traffic) {
    this.traffic = traffic;
  }

  /** Counts a failure for each follower that hasn't answered for so long. Thread: timer. */
  void countSilent(Duration silence) {
    long now = System.nanoTime();
    for (TrackedAppender tracked : byFollower.values()) {
      if (tracked.appender().isRunning() && !tracked.heardWithin(silence, now)) {
        traffic.peer(tracked.id()).failsToSend();
      }
    }
  }

  /** Where replies are counted; set before Ratis starts. */
  void attach(ReadIndexRounds rounds) {
    this.rounds = rounds;
  }

  void add(LogAppenderBase appender) {
    TrackedAppender tracked = new TrackedAppender(appender, System.nanoTime());
    byFollower.put(tracked.id(), tracked);
    ReadIndexRounds current = rounds;
    if (current != null) {
      current.onFollower(tracked);
    }
  }

  /** A request was made for a follower. Called by the thread of its appender. */
  void onRequest(String followerId, AppendEntriesRequestProto request) {
    int bytes = request.getSerializedSize(); // worked out once and kept: the transport asks for it
    traffic.peer(followerId).sends(bytes);
    TrackedAppender tracked = byFollower.get(followerId);
    int entries = request.getEntriesCount();
    if (tracked != null && entries > 0) {
      tracked.entries.sends(
          request.getServerRequest().getCallId(),
          request.getEntries(0).getIndex(),
          request.getEntries(entries - 1).getIndex(),
          bytes);
    }
  }

  void onReply(LogAppender appender, AppendEntriesReplyProto reply) {
    String followerId = appender.getFollowerId().toString();
    traffic.peer(followerId).receives(reply.getSerializedSize());
    TrackedAppender tracked = byFollower.get(followerId);
    if (tracked == null || tracked.appender() != appender) {
      return;
    }
    tracked.entries.answers(reply.getServerReply().getCallId());
    ReadIndexRounds current = rounds;
    if (current != null) {
      current.onReply(
          tracked,
          reply.getServerReply().getSuccess(),
          reply.getTerm(),
          reply.getServerReply().getCallId());
    }
    long committed = appender.getRaftLog().getLastCommittedIndex();
    if (reply.getFollowerCommit() < committed && tracked.wouldLearn(committed)) {
      tracked.kickAgain(committed, reply.getServerReply().getCallId());
    }
  }

  /**
   * Tells followers of a commit at once that they would else hear of with the next heartbeat. Who
   * is taking entries in would only be disturbed; its reply brings the kick if it still lacks it.
   *
   * <p>Thread: apply.
   */
  void kick(long committedIndex) {
    for (TrackedAppender tracked : byFollower.values()) {
      if (tracked.appender().getFollower().getCommitIndex() < committedIndex
          && tracked.wouldLearn(committedIndex)) {
        tracked.kick(committedIndex);
      }
    }
  }

  List<Follower> followers() {
    return List.copyOf(byFollower.values());
  }

  @Nullable TrackedAppender get(String followerId) {
    return byFollower.get(followerId);
  }

  /** One appender; equal only to itself. */
  static final class TrackedAppender implements Follower {
    private final LogAppenderBase appender;
    private final String id;
    private final long sinceNanos;
    private final EntriesUnderWay entries = new EntriesUnderWay();

    @GuardedBy("this")
    private long kickedFor = -1;

    @GuardedBy("this")
    private long kickedAt;

    TrackedAppender(LogAppenderBase appender, long sinceNanos) {
      this.appender = appender;
      this.id = appender.getFollowerId().toString();
      this.sinceNanos = sinceNanos;
    }

    LogAppender appender() {
      return appender;
    }

    /**
     * Whether a heartbeat would tell the follower that this entry is committed: it has confirmed
     * the entry, and nothing is on its way beside which heartbeats move no commit.
     */
    boolean wouldLearn(long index) {
      return appender.getFollower().getMatchIndex() >= index && !appender.hasPendingDataRequests();
    }

    void kick(long committed) {
      synchronized (this) {
        kickedFor = committed;
        kickedAt = appender.getCallId();
      }
      trigger();
    }

    /**
     * A reply shows the follower behind the commit. Sending that request may have eaten the
     * trigger, so once more; but when a request made after the kick was answered and it still is
     * behind (it lacks entries, say), asking on would only spin.
     */
    void kickAgain(long committed, long callId) {
      synchronized (this) {
        if (kickedFor == committed && callId - kickedAt >= 0) {
          return;
        }
        if (kickedFor != committed) {
          kickedFor = committed;
          kickedAt = appender.getCallId();
        }
      }
      trigger();
    }

    /**
     * Whether the follower answered within that time, or this appender began within it. Who is
     * taking entries in has as much longer as these may need.
     */
    boolean heardWithin(Duration silence, long nowNanos) {
      long age = (nowNanos - sinceNanos) / 1_000_000;
      long silent = appender.getFollower().getLastRpcResponseTime().elapsedTimeMs();
      return Math.min(age, silent) <= silence.toMillis() + entries.patienceMillis();
    }

    @Override
    public String id() {
      return id;
    }

    @Override
    public long nextCallId() {
      return appender.getCallId();
    }

    @Override
    public void trigger() {
      appender.triggerHeartbeat();
    }
  }
}
