package io.tidemark.raftcore.ratis;

import io.tidemark.raftcore.settings.RaftLimits;
import io.tidemark.raftcore.settings.RaftMemberSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** Ratis's settings for a member. Why each is set stands in {@code docs/ratis.md}. */
final class RatisKeys {
  private static final long MIB = 1 << 20;

  /** A cluster may grow; this bounds bytes on their way, so what no cluster exceeds will do. */
  private static final int CLUSTER_SIZE = 7;

  private RatisKeys() {}

  /**
   * The settings.
   *
   * @param alone whether there is no other voter to wait for at the start
   */
  static RaftProperties of(RaftMemberSettings settings, Path storage, boolean alone) {
    RaftProperties p = new RaftProperties();
    RaftServerConfigKeys.setStorageDir(p, List.of(storage.toFile()));
    timing(p, settings.electionTimeout(), alone);
    log(p, settings);
    replication(p, settings);
    snapshots(p);
    transport(p, settings);
    return p;
  }

  /** The appender's byte limit: an entry above it would depose the leader. */
  static long appenderBytes(int maxRequestBytes) {
    return Math.max(4 * MIB, roundUp(maxRequestBytes) + 2 * MIB);
  }

  private static void timing(RaftProperties p, Duration election, boolean alone) {
    long max = election.toMillis();
    RaftServerConfigKeys.Rpc.setTimeoutMin(p, millis(max / 2));
    RaftServerConfigKeys.Rpc.setTimeoutMax(p, millis(max));
    if (alone) {
      // Nobody to wait for.
      RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(p, millis(Math.max(1, max / 20)));
      RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(p, millis(Math.max(2, max / 10)));
    }
    RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(p, millis(2 * max));
    RaftServerConfigKeys.setCloseThreshold(p, TimeDuration.valueOf(10, TimeUnit.DAYS));
  }

  private static void log(RaftProperties p, RaftMemberSettings settings) {
    RaftLimits limits = settings.limits();
    long appender = appenderBytes(settings.maxRequestBytes());
    RaftServerConfigKeys.Log.setLogMetadataEnabled(p, false);
    RaftServerConfigKeys.Log.setAppendEntriesComposeEnabled(p, false);
    RaftServerConfigKeys.Log.setForceSyncNum(p, 1024);
    RaftServerConfigKeys.Log.setSegmentSizeMax(p, size(limits.segmentBytes()));
    RaftServerConfigKeys.Log.setPreallocatedSize(p, size(limits.preallocatedBytes()));
    RaftServerConfigKeys.Log.setSegmentCacheNumMax(p, 2);
    RaftServerConfigKeys.Log.setSegmentCacheSizeMax(p, size(32 * MIB));
    RaftServerConfigKeys.Log.setWriteBufferSize(p, size(Math.max(8 * MIB, appender + MIB)));
    RaftServerConfigKeys.Log.setQueueByteLimit(p, size(Math.max(64 * MIB, 4 * appender)));
    RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(p, true);
    RaftServerConfigKeys.Log.setPurgePreservationLogNum(p, 0);
    RaftServerConfigKeys.Log.setPurgeGap(p, limits.purgeGap());
    RaftServerConfigKeys.Log.setCorruptionPolicy(
        p, RaftServerConfigKeys.Log.CorruptionPolicy.EXCEPTION);
  }

  private static void replication(RaftProperties p, RaftMemberSettings settings) {
    long appender = appenderBytes(settings.maxRequestBytes());
    long everyMember = (CLUSTER_SIZE + 1) * (settings.limits().inFlightBytes() + appender);
    RaftServerConfigKeys.Log.Appender.setBufferByteLimit(p, size(appender));
    RaftServerConfigKeys.Log.Appender.setWaitTimeMin(p, millis(0));
    RaftServerConfigKeys.Log.Appender.setRetryPolicy(p, "10ms,20, 100ms,50, 500ms,100000");
    RaftServerConfigKeys.Write.setByteLimit(p, size(Math.max(64 * MIB, roundUp(everyMember))));
    RaftServerConfigKeys.RetryCache.setExpiryTime(p, TimeDuration.valueOf(2, TimeUnit.SECONDS));
    RaftServerConfigKeys.Read.ReadAfterWriteConsistent.setWriteIndexCacheExpiryTime(
        p, TimeDuration.valueOf(2, TimeUnit.SECONDS));
    RaftServerConfigKeys.Read.setOption(p, RaftServerConfigKeys.Read.Option.DEFAULT);
  }

  private static void snapshots(RaftProperties p) {
    RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(p, false);
    RaftServerConfigKeys.Snapshot.setTriggerWhenStopEnabled(p, false);
    RaftServerConfigKeys.Snapshot.setCreationGap(p, 1);
    RaftServerConfigKeys.Log.Appender.setInstallSnapshotEnabled(p, true);
    RaftServerConfigKeys.Log.Appender.setSnapshotChunkSizeMax(p, size(MIB));
    GrpcConfigKeys.Server.setInstallSnapshotRequestElementLimit(p, 2);
  }

  private static void transport(RaftProperties p, RaftMemberSettings settings) {
    long appender = appenderBytes(settings.maxRequestBytes());
    RaftConfigKeys.Rpc.setType(p, new TidemarkRpcType());
    GrpcConfigKeys.Server.setHost(p, settings.peerHost());
    GrpcConfigKeys.Server.setPort(p, settings.peerPort());
    // Only "not the peer port" matters: PeerPort replaces what would listen there.
    GrpcConfigKeys.Admin.setHost(p, "127.0.0.1");
    GrpcConfigKeys.Admin.setPort(p, settings.peerPort() == 1 ? 3 : 1);
    GrpcConfigKeys.Client.setHost(p, "127.0.0.1");
    GrpcConfigKeys.Client.setPort(p, settings.peerPort() == 2 ? 3 : 2);
    // A window below a message's size makes the appender wait for the stream, and with it the
    // heartbeats that the same thread sends.
    GrpcConfigKeys.setFlowControlWindow(p, size(Math.min(appender, 16 * MIB)));
    GrpcConfigKeys.setMessageSizeMax(p, size(appender + 2 * MIB));
    // 0: PeerPort brings event loops of its own, and clients share gRPC's. Ratis would wait 2 s
    // for each of its own groups when it closes.
    GrpcConfigKeys.Server.setBossGroupSize(p, 0);
    GrpcConfigKeys.Server.setWorkerGroupSize(p, 0);
    GrpcConfigKeys.Client.setWorkerGroupSize(p, 0);
  }

  private static long roundUp(long bytes) {
    return (bytes + MIB - 1) / MIB * MIB;
  }

  private static TimeDuration millis(long millis) {
    return TimeDuration.valueOf(millis, TimeUnit.MILLISECONDS);
  }

  private static SizeInBytes size(long bytes) {
    return SizeInBytes.valueOf(bytes);
  }
}
