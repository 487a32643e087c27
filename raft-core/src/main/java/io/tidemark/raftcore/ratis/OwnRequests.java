package io.tidemark.raftcore.ratis;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/** What a member asks of its own Ratis server, numbered without repeats. Thread-safe. */
final class OwnRequests {
  private final ClientId clientId = ClientId.randomId();
  private final RaftPeerId peerId;
  private final RaftGroupId groupId;
  private final AtomicLong callIds = new AtomicLong();

  OwnRequests(RaftPeerId peerId, RaftGroupId groupId) {
    this.peerId = peerId;
    this.groupId = groupId;
  }

  /** A number for {@link #write} that none had before. */
  long nextCallId() {
    return callIds.incrementAndGet();
  }

  RaftClientRequest write(long callId, ByteString entry) {
    return RaftClientRequest.newBuilder()
        .setClientId(clientId)
        .setServerId(peerId)
        .setGroupId(groupId)
        .setCallId(callId)
        .setType(RaftClientRequest.writeRequestType())
        .setMessage(Message.valueOf(entry))
        .build();
  }

  /**
   * Asks for another leader.
   *
   * @param successor null = this member only steps down
   */
  TransferLeadershipRequest transfer(@Nullable RaftPeerId successor, Duration timeout) {
    return new TransferLeadershipRequest(
        clientId, peerId, groupId, nextCallId(), successor, Math.max(1, timeout.toMillis()));
  }

  SetConfigurationRequest configure(SetConfigurationRequest.Arguments arguments) {
    return new SetConfigurationRequest(clientId, peerId, groupId, nextCallId(), arguments);
  }
}
