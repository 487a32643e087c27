package io.tidemark.raftcore.ratis;

import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.jspecify.annotations.Nullable;

/** Who sends a message of Ratis's: it stands in the message, and is the same for all of a call. */
final class RaftSender {
  private RaftSender() {}

  /** The sender's Ratis id; null if the message isn't one between Ratis servers. */
  static @Nullable String of(@Nullable Object message) {
    RaftRpcRequestProto header = header(message);
    return header == null ? null : header.getRequestorId().toStringUtf8();
  }

  private static @Nullable RaftRpcRequestProto header(@Nullable Object message) {
    if (message instanceof AppendEntriesRequestProto append) {
      return append.getServerRequest();
    }
    if (message instanceof RequestVoteRequestProto vote) {
      return vote.getServerRequest();
    }
    if (message instanceof StartLeaderElectionRequestProto start) {
      return start.getServerRequest();
    }
    return message instanceof InstallSnapshotRequestProto install
        ? install.getServerRequest()
        : null;
  }
}
