package io.tidemark.statemachine;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnsafeByteOperations;
import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.statemachine.member.MemberChange;
import java.nio.ByteBuffer;

/** The kinds of {@link CommandCodec} that change the members: 9 to 12. */
final class MemberCommandCodec implements MemberChange.Cases<ByteString> {
  private static final int ID_BYTES = 1 + Long.BYTES;
  private static final int ADD_HEADER_BYTES = 1 + Integer.BYTES;

  static MemberChange decode(byte kind, ByteString message) throws InvalidProtocolBufferException {
    return switch (kind) {
      case CommandCodec.MEMBER_ADD -> add(message);
      case CommandCodec.MEMBER_REMOVE ->
          new MemberChange.Remove(exact(message).getLong(1), strict(message));
      case CommandCodec.MEMBER_PROMOTE ->
          new MemberChange.Promote(exact(message).getLong(1), strict(message));
      case CommandCodec.MEMBER_UPDATE -> {
        Member member = Member.parseFrom(message);
        yield new MemberChange.Update(member.getID(), member.getPeerURLsList());
      }
      default -> throw new EntryFormatException("no change of members: kind " + kind);
    };
  }

  private static MemberChange add(ByteString message) throws InvalidProtocolBufferException {
    if (message.size() < ADD_HEADER_BYTES) {
      throw new EntryFormatException("a member to add takes more than " + message.size());
    }
    return new MemberChange.Add(
        Member.parseFrom(message.substring(ADD_HEADER_BYTES)),
        strict(message),
        message.asReadOnlyByteBuffer().slice().getInt(1));
  }

  private static ByteBuffer exact(ByteString message) {
    if (message.size() != ID_BYTES) {
      throw new EntryFormatException("a member's id in " + message.size() + " bytes");
    }
    return message.asReadOnlyByteBuffer().slice();
  }

  private static boolean strict(ByteString message) {
    return switch (message.byteAt(0)) {
      case 0 -> false;
      case 1 -> true;
      default -> throw new EntryFormatException("neither strict nor not: " + message.byteAt(0));
    };
  }

  /** Strict (1), most learners (4), then the member. */
  @Override
  public ByteString add(MemberChange.Add add) {
    byte[] header =
        ByteBuffer.allocate(ADD_HEADER_BYTES)
            .put(flag(add.strict()))
            .putInt(add.learnersMax())
            .array();
    return CommandCodec.encode(
        CommandCodec.MEMBER_ADD,
        UnsafeByteOperations.unsafeWrap(header).concat(add.member().toByteString()));
  }

  /** Strict (1), id (8). */
  @Override
  public ByteString remove(MemberChange.Remove remove) {
    return CommandCodec.encode(CommandCodec.MEMBER_REMOVE, id(remove.strict(), remove.id()));
  }

  /** A member with nothing but id and peer URLs. */
  @Override
  public ByteString update(MemberChange.Update update) {
    return CommandCodec.encode(
        CommandCodec.MEMBER_UPDATE,
        Member.newBuilder().setID(update.id()).addAllPeerURLs(update.peerUrls()).build());
  }

  /** Strict (1), id (8). */
  @Override
  public ByteString promote(MemberChange.Promote promote) {
    return CommandCodec.encode(CommandCodec.MEMBER_PROMOTE, id(promote.strict(), promote.id()));
  }

  private static ByteString id(boolean strict, long id) {
    return UnsafeByteOperations.unsafeWrap(
        ByteBuffer.allocate(ID_BYTES).put(flag(strict)).putLong(id).array());
  }

  private static byte flag(boolean on) {
    return (byte) (on ? 1 : 0);
  }
}
