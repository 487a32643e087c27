package io.tidemark.raftcore.ratis;

import io.tidemark.raftcore.snapshot.DurableFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.RaftServerConfigKeys.Log.CorruptionPolicy;
import org.apache.ratis.server.raftlog.segmented.LogSegment;
import org.apache.ratis.server.raftlog.segmented.LogSegmentPath;
import org.apache.ratis.server.storage.RaftStorage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A log that ends before the store's position: what a member has on disk that died after it took in
 * a snapshot and before its log worker had dropped the log. Ratis would keep the open segment, and
 * then refuse every entry for the gap before it, for ever.
 */
final class LogRemains {
  private static final Logger LOG = LoggerFactory.getLogger(LogRemains.class);
  private static final Pattern CLOSED = Pattern.compile("log_(\\d+)-(\\d+)");

  private static final Pattern FIRST = Pattern.compile("log_(?:inprogress_)?(\\d+)(?:-\\d+)?");

  private LogRemains() {}

  /** The index of a segment's first entry, by its name. */
  static long firstIndex(Path segment) {
    Matcher name = FIRST.matcher(segment.getFileName().toString());
    if (!name.matches()) {
      throw new IllegalArgumentException("not a segment of a log: " + segment);
    }
    return Long.parseLong(name.group(1));
  }

  /** Whether it is being written. */
  static boolean isOpen(Path segment) {
    return !CLOSED.matcher(segment.getFileName().toString()).matches();
  }

  /**
   * Refuses a log that begins after the entry that the store needs next: files of the log or of the
   * store are missing, and what was in them would be passed over.
   *
   * @param applied the store's position; negative if it has none
   */
  static void refuseGap(RaftStorage storage, long applied) throws IOException {
    List<LogSegmentPath> segments = LogSegmentPath.getLogSegmentPaths(storage);
    long first = segments.stream().mapToLong(s -> firstIndex(s.getPath())).min().orElse(0);
    if (first > applied + 1) {
      throw new IOException(
          String.format(
              "the log begins with entry %d, but the store ends with entry %d: entries between them"
                  + " are missing",
              first, applied));
    }
  }

  /**
   * Deletes the log if the store contains all of it and more. Before Ratis opens it; blocks on the
   * disk for reading one segment at most.
   *
   * @param applied the store's position
   */
  static void dropIfBehind(RaftStorage storage, long applied, RaftProperties properties)
      throws IOException {
    List<LogSegmentPath> segments = LogSegmentPath.getLogSegmentPaths(storage);
    if (segments.isEmpty()) {
      return;
    }
    long last = lastIndex(segments, properties);
    if (last >= applied) {
      return;
    }
    LOG.info("the log ends at {}, the store is at {}: dropping the log", last, applied);
    for (LogSegmentPath segment : segments) {
      Files.delete(segment.getPath());
    }
    Path directory = storage.getStorageDir().getCurrentDir().toPath();
    DurableFile.syncEntries(directory);
  }

  private static long lastIndex(List<LogSegmentPath> segments, RaftProperties properties)
      throws IOException {
    for (int i = segments.size() - 1; i >= 0; i--) {
      LogSegmentPath segment = segments.get(i);
      Matcher closed = CLOSED.matcher(segment.getPath().getFileName().toString());
      long last = closed.matches() ? Long.parseLong(closed.group(2)) : lastIn(segment, properties);
      if (last >= 0) {
        return last;
      }
    }
    return -1;
  }

  private static long lastIn(LogSegmentPath open, RaftProperties properties) throws IOException {
    AtomicLong last = new AtomicLong(-1);
    LogSegment.readSegmentFile(
        open.getPath().toFile(),
        open.getStartEnd(),
        RaftServerConfigKeys.Log.Appender.bufferByteLimit(properties),
        CorruptionPolicy.EXCEPTION,
        null,
        entry -> last.set(entry.getIndex()));
    return last.get();
  }
}
