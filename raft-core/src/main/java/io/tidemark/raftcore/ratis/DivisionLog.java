package io.tidemark.raftcore.ratis;

import io.tidemark.raftcore.metrics.SnapshotMetrics;
import io.tidemark.raftcore.snapshot.SnapshotStorage;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log of a Ratis division, as an observer sees it. Any thread. */
final class DivisionLog implements SnapshotMetrics.Log {
  private static final Logger LOG = LoggerFactory.getLogger(DivisionLog.class);

  /** Ratis's file with the term and the vote. */
  private static final String META = "raft-meta";

  private final RaftServer.Division division;
  private final SnapshotStorage snapshots;
  private final Path files;
  private volatile long replayed;

  /**
   * A log that isn't open yet.
   *
   * @param group the division's directory
   */
  DivisionLog(RaftServer.Division division, SnapshotStorage snapshots, Path group) {
    this.division = division;
    this.snapshots = snapshots;
    this.files = group.resolve("current");
  }

  /** What opens it. */
  interface Opening {
    void run() throws IOException;
  }

  /**
   * Opens it and takes down how much of it is newer than the store.
   *
   * <p>Opening has it join the group, so a leader may have appended before the log can be looked
   * at, most of all this member if it is alone. What is of a term that it hadn't heard of before
   * can't have been there.
   */
  void open(Opening opening) throws IOException {
    long known = knownTerm();
    opening.run();
    RaftLog log = division.getRaftLog();
    TermIndex last = log.getLastEntryTermIndex();
    while (last != null && last.getTerm() > known) {
      last = log.getTermIndex(last.getIndex() - 1); // null before the first
    }
    replayed = last == null ? 0 : Math.max(0, last.getIndex() - snapshotIndex());
    LOG.info(
        "{}: log from {}, snapshot {}, {} entries to replay, {} bytes",
        division.getId(),
        startIndex(),
        snapshotIndex(),
        replayed,
        bytes());
  }

  @Override
  public long bytes() {
    return SnapshotStorage.bytesBelow(files);
  }

  @Override
  public long startIndex() {
    return division.getRaftLog().getStartIndex();
  }

  @Override
  public long replayed() {
    return replayed;
  }

  @Override
  public long snapshotIndex() {
    SnapshotInfo latest = snapshots.getLatestSnapshot();
    return latest == null ? -1 : latest.getIndex();
  }

  /** The newest term that this member had heard of when it stopped. */
  private long knownTerm() throws IOException {
    Path meta = files.resolve(META);
    if (!Files.exists(meta)) {
      return -1;
    }
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(meta)) {
      properties.load(reader);
    }
    return Long.parseLong(properties.getProperty("term", "-1"));
  }
}
