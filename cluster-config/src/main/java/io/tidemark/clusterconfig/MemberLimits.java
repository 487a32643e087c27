package io.tidemark.clusterconfig;

import java.time.Duration;

/**
 * Bounds on what clients may ask and store.
 *
 * @param quotaBackendBytes size at which writes are refused; -1 is no limit, never 0
 * @param storeMemoryBytes what the store may use for caches and for what isn't written out yet
 * @param maxTxnOps operations in each list of a transaction
 * @param maxRequestBytes serialized size of one write request
 * @param maxConcurrentStreams HTTP/2 streams of one client connection, up to 2^32-1
 * @param maxLearners non-voting members at a time
 * @param watchProgressInterval idle time after which a watcher that asked for it hears of progress
 * @param warningApply applying for longer than this is logged
 * @param warningUnary answering for longer than this is logged
 */
public record MemberLimits(
    long quotaBackendBytes,
    long storeMemoryBytes,
    int maxTxnOps,
    int maxRequestBytes,
    long maxConcurrentStreams,
    int maxLearners,
    Duration watchProgressInterval,
    Duration warningApply,
    Duration warningUnary) {}
