package io.tidemark.watch;

/**
 * Counts of one moment. The counts of watchers by state add up to {@code watchers}; all but the
 * totals are 0 once every stream is closed.
 *
 * @param streams open streams
 * @param watchers watchers that can still get events
 * @param synced watchers fed live
 * @param unsynced watchers that read the past, from the ring or from disk
 * @param victims watchers that wait for their stream to drain
 * @param queuedBytes bytes queued for all streams
 * @param pendingEvents events queued for all streams
 * @param ringRevisions revisions kept in memory
 * @param ringBytes bytes kept in memory
 * @param events total of events handed to streams
 * @param compactCancels total of watchers ended by a compaction
 * @param progressAnswered total of progress requests answered for a whole stream
 * @param progressSilent total of progress requests not answered for a whole stream
 * @param overflows total of times a watcher had to wait for its stream to drain
 * @param diskRevisions total of revisions read from disk for watchers that were behind
 */
public record WatchGauges(
    int streams,
    int watchers,
    int synced,
    int unsynced,
    int victims,
    long queuedBytes,
    long pendingEvents,
    int ringRevisions,
    long ringBytes,
    long events,
    long compactCancels,
    long progressAnswered,
    long progressSilent,
    long overflows,
    long diskRevisions) {}
