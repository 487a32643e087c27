package io.tidemark.raftcore.ratis;

import java.time.Duration;
import org.apache.ratis.proto.RaftProtos.CommitInfoProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;

/** What this member has heard of the leader's commit index. Thread-safe. */
public final class LeaderCommit {
  private final RaftServer.Division division;
  private final DivisionLeadership leadership;
  private volatile Heard last = new Heard(-1, System.nanoTime());

  LeaderCommit(RaftServer.Division division, DivisionLeadership leadership) {
    this.division = division;
    this.leadership = leadership;
  }

  /** A commit index and when, by {@link System#nanoTime}, it was heard. */
  public record Heard(long commitIndex, long atNanos) {
    /** How old it is now. */
    public Duration age() {
      return Duration.ofNanos(Math.max(0, System.nanoTime() - atNanos));
    }
  }

  /**
   * What was last heard, and when. A member that follows nobody keeps what it heard and lets it
   * age. Call it now and then, so that it is known when a leader is lost.
   */
  public Heard heard() {
    long now = System.nanoTime();
    Heard previous = last;
    Heard fresh = leadership.leads() ? new Heard(leadership.committed(), now) : followed(now);
    if (fresh == null || fresh.atNanos() - previous.atNanos() < 0) {
      return previous;
    }
    last = fresh;
    return fresh;
  }

  private @Nullable Heard followed(long now) {
    DivisionInfo info = division.getInfo();
    RaftPeerId leader = info.getLeaderId();
    RoleInfoProto role = info.getRoleInfoProto();
    if (leader == null || !role.hasFollowerInfo()) {
      return null;
    }
    long commit =
        division.getCommitInfos().stream()
            .filter(c -> c.getServer().getId().equals(leader.toByteString()))
            .mapToLong(CommitInfoProto::getCommitIndex)
            .max()
            .orElse(leadership.committed());
    long elapsed = role.getFollowerInfo().getLeaderInfo().getLastRpcElapsedTimeMs();
    return new Heard(commit, now - Duration.ofMillis(elapsed).toNanos());
  }
}
