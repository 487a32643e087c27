package io.tidemark.raftcore.ratis;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;

/**
 * Puts right what Ratis's leader believes of members that came to it while it led.
 *
 * <p>It only counts voters as caught up, and only those that came as such: a learner never is, nor
 * is it when it gets its vote, nor a member whose appender was restarted. So it tells a promoted
 * one for ever that it is still being set up, and such a member neither votes nor stands; it waits
 * for a learner that is down before it takes in anybody else; and when that fails, it stops sending
 * to all of them. Thread-safe.
 */
final class CaughtUp {
  private static final MethodHandle CATCH_UP = catchUp();

  private final RaftServer.Division division;

  CaughtUp(RaftServer.Division division) {
    this.division = division;
  }

  /** Ratis has no way in for this; the version is pinned. */
  private static MethodHandle catchUp() {
    try {
      Class<?> follower = Class.forName("org.apache.ratis.server.impl.FollowerInfoImpl");
      return MethodHandles.privateLookupIn(follower, MethodHandles.lookup())
          .findVirtual(follower, "catchUp", MethodType.methodType(void.class))
          .asType(MethodType.methodType(void.class, FollowerInfo.class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("not the Ratis that this was built for", e);
    }
  }

  /** Whether a member has a vote, in the newest configuration or the one it replaces. */
  boolean votes(RaftPeerId id) {
    return division.getRaftConf().getPeer(id, RaftPeerRole.FOLLOWER) != null;
  }

  /** A member answered. If it belongs to the configuration, it isn't being brought in any more. */
  void answered(LeaderState leader, FollowerInfo follower) {
    if (!leader.isFollowerBootstrapping(follower)
        || !follower.hasAttemptedToInstallSnapshot()
        || division
                .getRaftConf()
                .getPeer(follower.getId(), RaftPeerRole.FOLLOWER, RaftPeerRole.LISTENER)
            == null) {
      return;
    }
    try {
      CATCH_UP.invokeExact(follower);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
