package io.tidemark.raftcore;

import com.google.protobuf.ByteString;
import io.tidemark.raftcore.lease.LeaseKeeper;
import io.tidemark.raftcore.lease.RenewalSource;
import io.tidemark.raftcore.peer.PeerChannels;
import io.tidemark.raftcore.peer.SendResult;
import io.tidemark.raftcore.propose.Route;
import io.tidemark.raftcore.ratis.RatisNode;
import io.tidemark.raftcore.read.IndexSource;
import io.tidemark.raftcore.read.NotLeadingException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The way to the leader: this member's own Ratis when it leads, else the peer port of who does. */
final class LeaderLine implements Route, IndexSource, RenewalSource {
  /** A question for an index that stays open longer is asked again. */
  private static final long ASK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** A renewal needs a majority; who gets no answer for so long asks again. */
  private static final long RENEW_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final RatisNode node;
  private final PeerChannels channels;
  private final LeaseKeeper keeper;

  LeaderLine(RatisNode node, PeerChannels channels, LeaseKeeper keeper) {
    this.node = node;
    this.channels = channels;
    this.keeper = keeper;
  }

  @Override
  public @Nullable String leader() {
    return node.leader();
  }

  @Override
  public CompletableFuture<SendResult> send(String leader, ByteString entry, long timeoutNanos) {
    return leader.equals(node.id())
        ? node.submit(entry)
        : channels.forward(leader, entry.toByteArray(), timeoutNanos);
  }

  @Override
  public CompletableFuture<Long> ask() {
    String leader = node.leader();
    if (leader == null) {
      return CompletableFuture.failedFuture(new NotLeadingException());
    }
    return leader.equals(node.id())
        ? node.rounds().request()
        : channels.readIndex(leader, ASK_NANOS);
  }

  @Override
  public CompletableFuture<long[]> renew(long[] ids) {
    String leader = node.leader();
    if (leader == null) {
      return CompletableFuture.failedFuture(new NotLeadingException());
    }
    return leader.equals(node.id())
        ? keeper.renew(ids)
        : channels.keepAlive(leader, ids, RENEW_NANOS);
  }
}
