package io.tidemark.statemachine;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import com.google.protobuf.UnsafeByteOperations;
import io.tidemark.api.etcdserverpb.AlarmMember;
import io.tidemark.api.etcdserverpb.AlarmRequest;
import io.tidemark.api.etcdserverpb.CompactionRequest;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.DowngradeInfo;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.LeaseRevokeRequest;
import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.TxnRequest;
import io.tidemark.statemachine.lease.LeaseExpiry;
import io.tidemark.statemachine.lease.LeaseRenewals;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * One command inside an entry: kind (1 byte), length (4 bytes, big-endian), serialized message.
 *
 * <p>The kinds are part of the log's format: none is ever changed or given away again.
 */
final class CommandCodec {
  static final byte PUT = 1;
  static final byte DELETE_RANGE = 2;
  static final byte TXN = 3;
  static final byte COMPACT = 4;
  static final byte PUBLISH_MEMBER = 5;
  static final byte ALARM = 6;
  static final byte RAISE_ALARM = 7;
  static final byte DOWNGRADE = 8;
  static final byte MEMBER_ADD = 9;
  static final byte MEMBER_REMOVE = 10;
  static final byte MEMBER_UPDATE = 11;
  static final byte MEMBER_PROMOTE = 12;
  static final byte AUTO_COMPACT = 13;
  static final byte LEASE_GRANT = 16;
  static final byte LEASE_REVOKE = 17;
  static final byte RENEW_LEASES = 18;
  static final byte EXPIRE_LEASE = 19;

  /** Kind and length. */
  static final int HEADER_BYTES = 5;

  /**
   * Twice what the edge's parser lets through. A request that was accepted and cannot be read back
   * would stop every member.
   */
  private static final int MESSAGE_DEPTH_MAX = 200;

  private CommandCodec() {}

  static ByteString encode(byte kind, MessageLite message) {
    int length = message.getSerializedSize();
    byte[] bytes = new byte[HEADER_BYTES + length];
    ByteBuffer.wrap(bytes).put(kind).putInt(length);
    CodedOutputStream out = CodedOutputStream.newInstance(bytes, HEADER_BYTES, length);
    try {
      message.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException("a message outgrew its own serialized size", e);
    }
    out.checkNoSpaceLeft();
    return UnsafeByteOperations.unsafeWrap(bytes);
  }

  static ByteString encode(byte kind, ByteString message) {
    byte[] header = ByteBuffer.allocate(HEADER_BYTES).put(kind).putInt(message.size()).array();
    return UnsafeByteOperations.unsafeWrap(header).concat(message);
  }

  static Command decode(byte kind, ByteString message) {
    try {
      return switch (kind) {
        case PUT -> new Command.Put(parse(PutRequest.parser(), message));
        case DELETE_RANGE -> new Command.DeleteRange(parse(DeleteRangeRequest.parser(), message));
        case TXN -> new Command.Txn(parse(TxnRequest.parser(), message));
        case COMPACT -> new Command.Compact(parse(CompactionRequest.parser(), message));
        case AUTO_COMPACT -> new Command.AutoCompact(parse(CompactionRequest.parser(), message));
        case PUBLISH_MEMBER -> new Command.PublishMember(parse(Member.parser(), message));
        case ALARM -> new Command.Alarm(parse(AlarmRequest.parser(), message));
        case RAISE_ALARM -> new Command.RaiseAlarm(parse(AlarmMember.parser(), message));
        case DOWNGRADE -> new Command.Downgrade(parse(DowngradeInfo.parser(), message));
        case MEMBER_ADD, MEMBER_REMOVE, MEMBER_UPDATE, MEMBER_PROMOTE ->
            new Command.ChangeMembers(MemberCommandCodec.decode(kind, message));
        case LEASE_GRANT -> new Command.LeaseGrant(parse(LeaseGrantRequest.parser(), message));
        case LEASE_REVOKE -> new Command.LeaseRevoke(parse(LeaseRevokeRequest.parser(), message));
        case RENEW_LEASES -> new Command.RenewLeases(LeaseRenewals.decode(message));
        case EXPIRE_LEASE -> new Command.ExpireLease(LeaseExpiry.decode(message));
        default -> AuthCommandCodec.decode(kind, message);
      };
    } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
      throw new EntryFormatException(
          "unreadable command of kind " + kind + ": " + e.getMessage(), e);
    }
  }

  static <T> T parse(Parser<T> parser, ByteString message) throws InvalidProtocolBufferException {
    CodedInputStream in = message.newCodedInput();
    in.setRecursionLimit(MESSAGE_DEPTH_MAX);
    return parser.parseFrom(in);
  }
}
