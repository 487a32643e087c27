package io.tidemark.raftcore.snapshot;

import io.tidemark.mvcc.AppliedPosition;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.SnapshotRetentionPolicy;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.impl.FileListSnapshotInfo;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The snapshots that Ratis knows of.
 *
 * <p>Checkpoints are built elsewhere and moved in when published. Ratis replaces the whole
 * directory when it installs a snapshot; a checkpoint that is published just then fails to move, or
 * lands in a directory that is about to go, and is made again later. The newest two stay: the
 * newest is what followers get, and the log is kept from the one before it.
 *
 * <p>Threads: start-up and apply, but {@link #publish} and {@link #prune} background and {@link
 * #getLatestSnapshot} any (it is asked for on every turn of every appender). What is the latest
 * changes under this object's lock.
 */
public final class SnapshotStorage implements StateMachineStorage {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotStorage.class);

  private volatile @Nullable SnapshotInfo latest;
  private @Nullable Path directory;

  /** A storage that isn't initialized yet. */
  public SnapshotStorage() {}

  @Override
  public void init(RaftStorage raftStorage) throws IOException {
    Path snapshots = raftStorage.getStorageDir().getStateMachineDir().toPath();
    Files.createDirectories(snapshots);
    directory = snapshots;
    deleteLeftovers(snapshots);
  }

  /**
   * Publishes a checkpoint of the store as it stands, so that Ratis replays only what comes after.
   *
   * @param building where the checkpoint may be built; deleted before
   */
  public void publishAtStart(CheckpointSource store, Path building) throws IOException {
    SnapshotFiles.delete(building);
    AppliedPosition position = store.applied();
    if (position.index() < 0) {
      return;
    }
    Path target = directory().resolve(SnapshotFiles.name(position));
    if (!Files.exists(target)) {
      AppliedPosition made = store.checkpoint(building);
      target = directory().resolve(SnapshotFiles.name(made));
      Files.move(building, target);
      position = made;
    }
    latest = info(new SnapshotFiles.Found(target, position));
    deleteAllBut(List.of(target));
  }

  /**
   * Moves a finished checkpoint in and makes it the latest. Thread: background; waits for nobody
   * but the disk, so that neither a busy apply thread nor Ratis can hold it up.
   *
   * @return the index up to which the log may go now: that of the snapshot before; or {@link
   *     RaftLog#INVALID_LOG_INDEX} when this one isn't newer
   */
  public synchronized long publish(Path checkpoint, AppliedPosition position) throws IOException {
    SnapshotInfo previous = latest;
    if (previous != null && position.index() <= previous.getIndex()) {
      return RaftLog.INVALID_LOG_INDEX;
    }
    Path target = directory().resolve(SnapshotFiles.name(position));
    Files.move(checkpoint, target);
    latest = info(new SnapshotFiles.Found(target, position));
    return previous == null ? RaftLog.INVALID_LOG_INDEX : previous.getIndex();
  }

  /** A snapshot's files, and the index in its name. */
  public record Installed(Path directory, long index) {}

  /** The snapshot that Ratis has just put here. */
  public synchronized Installed installed() throws IOException {
    SnapshotFiles.Found newest = SnapshotFiles.list(directory()).get(0);
    latest = info(newest);
    return new Installed(newest.directory(), newest.position().index());
  }

  /** Bytes of all files below a directory that others may be changing. */
  public static long bytesBelow(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.map(Path::toFile).filter(File::isFile).mapToLong(File::length).sum();
    } catch (IOException | UncheckedIOException vanished) {
      return 0;
    }
  }

  /** Deletes all but the newest two. Any thread. */
  public void prune() {
    try {
      List<Path> kept =
          SnapshotFiles.list(directory()).stream()
              .limit(2)
              .map(SnapshotFiles.Found::directory)
              .toList();
      deleteAllBut(kept);
    } catch (IOException e) {
      LOG.warn("old snapshots stay in {}", directory, e);
    }
  }

  @Override
  public @Nullable SnapshotInfo getLatestSnapshot() {
    return latest;
  }

  @Override
  public void format() {
    // Ratis makes the directory; there is nothing to write into it.
  }

  @Override
  public void cleanupOldSnapshots(SnapshotRetentionPolicy policy) {
    // prune() does, off the apply thread.
  }

  private Path directory() {
    return Objects.requireNonNull(directory, "not initialized");
  }

  private static SnapshotInfo info(SnapshotFiles.Found found) throws IOException {
    List<FileInfo> files =
        SnapshotFiles.filesOf(found.directory()).stream().map(f -> new FileInfo(f, null)).toList();
    return new FileListSnapshotInfo(
        files, TermIndex.valueOf(found.position().term(), found.position().index()));
  }

  private void deleteAllBut(List<Path> kept) throws IOException {
    for (SnapshotFiles.Found found : SnapshotFiles.list(directory())) {
      if (!kept.contains(found.directory())) {
        SnapshotFiles.delete(found.directory());
      }
    }
  }

  /** What interrupted installs left: half received snapshots, and directories moved aside. */
  private static void deleteLeftovers(Path snapshots) throws IOException {
    Path group = Objects.requireNonNull(snapshots.getParent());
    try (Stream<Path> children = Files.list(group)) {
      for (Path child : children.toList()) {
        String name = child.getFileName().toString();
        if (Files.isDirectory(child)
            && (name.equals("tmp") || name.startsWith(snapshots.getFileName() + ".tmp"))) {
          SnapshotFiles.delete(child);
        }
      }
    }
  }

  /** Ratis's default place, written out because the default is only assumed when this is null. */
  @Override
  public @Nullable File getSnapshotDir() {
    return null;
  }
}
