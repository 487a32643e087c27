package io.tidemark.raftcore.ratis;

import com.google.protobuf.ByteString;
import io.tidemark.mvcc.AppliedPosition;
import io.tidemark.raftcore.snapshot.DurableFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServerConfigKeys.Log.CorruptionPolicy;
import org.apache.ratis.server.raftlog.segmented.LogSegment;
import org.apache.ratis.server.raftlog.segmented.LogSegmentPath;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.server.storage.RaftStorageImpl;
import org.apache.ratis.server.storage.StorageImplUtils;
import org.apache.ratis.util.SizeInBytes;

/**
 * The log of a member that doesn't run: it can be read, and replaced by the beginning of another
 * one. Holds the lock that a running member would hold. One thread; blocks on the disk.
 */
public final class LogAtRest implements AutoCloseable {
  private final RaftStorageImpl storage;
  private final SizeInBytes entryBytesMax;

  /** What is told of each entry. */
  public interface Reader {
    /** An entry with commands, as it was submitted. */
    void commands(long term, long index, ByteString entry);

    /** An entry of Ratis's own. */
    void other(long term, long index);
  }

  private LogAtRest(RaftStorageImpl storage, SizeInBytes entryBytesMax) {
    this.storage = storage;
    this.entryBytesMax = entryBytesMax;
  }

  /**
   * Opens a log; an empty one if the directory is new.
   *
   * @param raft Ratis's directory
   * @param maxRequestBytes largest command that the member accepts
   * @throws IOException if the member runs, or the directory can't be used
   */
  public static LogAtRest open(Path raft, long clusterId, int maxRequestBytes) throws IOException {
    Path group = raft.resolve(RatisNode.group(clusterId).toString());
    Files.createDirectories(group);
    RaftStorageImpl storage =
        StorageImplUtils.newRaftStorage(
            group.toFile(),
            SizeInBytes.valueOf(0),
            RaftStorage.StartupOption.RECOVER,
            CorruptionPolicy.EXCEPTION);
    storage.initialize();
    return new LogAtRest(storage, SizeInBytes.valueOf(RatisKeys.appenderBytes(maxRequestBytes)));
  }

  /** Reads all entries, in their order. */
  public void read(Reader reader) throws IOException {
    for (LogSegmentPath segment : LogSegmentPath.getLogSegmentPaths(storage)) {
      LogSegment.readSegmentFile(
          segment.getPath().toFile(),
          segment.getStartEnd(),
          entryBytesMax,
          CorruptionPolicy.EXCEPTION,
          null,
          entry -> tell(entry, reader));
    }
  }

  private static void tell(LogEntryProto entry, Reader reader) {
    if (entry.hasStateMachineLogEntry()) {
      ByteString bytes = SharedBytes.fromRatis(entry.getStateMachineLogEntry().getLogData());
      reader.commands(entry.getTerm(), entry.getIndex(), bytes);
    } else {
      reader.other(entry.getTerm(), entry.getIndex());
    }
  }

  /**
   * Drops all entries; the log goes on behind a position, with one member. The term and the vote
   * stay. Durable when this returns; after a failure on the way the log is as it was, or empty with
   * the configuration that it had.
   */
  public void replace(AppliedPosition position, long member) throws IOException {
    List<LogSegmentPath> segments = LogSegmentPath.getLogSegmentPaths(storage);
    for (LogSegmentPath segment : segments) {
      Files.delete(segment.getPath());
    }
    String peerId = RatisNode.peerId(member);
    RaftPeer peer =
        RaftPeer.newBuilder().setId(peerId).setAddress(MemberAddresses.anyones(peerId)).build();
    storage.writeRaftConfiguration( // which only logs a failure
        LogEntryProto.newBuilder()
            .setTerm(position.term())
            .setIndex(position.index())
            .setConfigurationEntry(
                RaftConfigurationProto.newBuilder().addPeers(peer.getRaftPeerProto()))
            .build());
    RaftConfiguration written = storage.readRaftConfiguration();
    if (written == null
        || written.getLogEntryIndex() != position.index()
        || written.getPeer(RaftPeerId.valueOf(peerId)) == null) {
      throw new IOException("the configuration in " + storage + " can't be written");
    }
    RaftStorage shown = storage; // the class of its directory is not public
    DurableFile.syncEntries(shown.getStorageDir().getCurrentDir().toPath());
  }

  @Override
  public void close() throws IOException {
    storage.close();
  }
}
