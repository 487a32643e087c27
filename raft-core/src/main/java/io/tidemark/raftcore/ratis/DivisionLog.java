package io.tidemark.raftcore.ratis;

import io.tidemark.raftcore.metrics.SnapshotMetrics;
import io.tidemark.raftcore.snapshot.SnapshotStorage;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log of a Ratis division, as an observer sees it. Any thread. */
final class DivisionLog implements SnapshotMetrics.Log {
  private static final Logger LOG = LoggerFactory.getLogger(DivisionLog.class);

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

  /** Opens it and takes down how much of it is newer than the store. */
  void open(Opening opening) throws IOException {
    opening.run();
    TermIndex last = division.getRaftLog().getLastEntryTermIndex();
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
}
