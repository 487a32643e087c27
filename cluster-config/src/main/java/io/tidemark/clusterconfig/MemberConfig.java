package io.tidemark.clusterconfig;

import java.nio.file.Path;

/**
 * Everything one member is told at start, already checked: see {@link MemberConfigReader}.
 *
 * @param name the member's entry in the initial cluster
 * @param dataDir directory owned by this member alone
 * @param urls addresses
 * @param bootstrap how the cluster comes into being
 * @param raft pace of the replicated log
 * @param limits bounds on requests and storage
 * @param compaction automatic compaction
 * @param corruption comparison of members
 * @param keepalive HTTP/2 pings
 * @param security TLS and authentication
 * @param http what plain HTTP serves
 * @param logging log level, format, outputs
 */
public record MemberConfig(
    String name,
    Path dataDir,
    MemberUrls urls,
    Bootstrap bootstrap,
    RaftTiming raft,
    MemberLimits limits,
    AutoCompaction compaction,
    CorruptionCheck corruption,
    Keepalive keepalive,
    Security security,
    HttpOptions http,
    Logging logging) {}
