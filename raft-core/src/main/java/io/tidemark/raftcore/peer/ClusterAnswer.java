package io.tidemark.raftcore.peer;

import com.google.protobuf.InvalidProtocolBufferException;
import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.api.etcdserverpb.MemberListResponse;
import io.tidemark.api.etcdserverpb.ResponseHeader;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * What a member says of itself, of its cluster and of the member that the question names.
 *
 * @param clusterId the cluster
 * @param memberId who answers
 * @param removed whether the member asked about was removed
 * @param configured whether it is in the configuration that the answering member's log has
 * @param members the member table
 * @param founders the members that the cluster began with; empty if it was restored from a backup
 */
public record ClusterAnswer(
    long clusterId,
    long memberId,
    boolean removed,
    boolean configured,
    List<Member> members,
    List<Member> founders) {
  private static final int HEADER_BYTES = 1 + Integer.BYTES;
  private static final int REMOVED = 1;
  private static final int CONFIGURED = 2;

  public ClusterAnswer {
    members = List.copyOf(members);
    founders = List.copyOf(founders);
  }

  /** Flags (1), length of the first list (4), members with a header, founders without. */
  byte[] encode() {
    byte[] first =
        MemberListResponse.newBuilder()
            .setHeader(ResponseHeader.newBuilder().setClusterId(clusterId).setMemberId(memberId))
            .addAllMembers(members)
            .build()
            .toByteArray();
    byte[] second = MemberListResponse.newBuilder().addAllMembers(founders).build().toByteArray();
    int flags = (removed ? REMOVED : 0) | (configured ? CONFIGURED : 0);
    return ByteBuffer.allocate(HEADER_BYTES + first.length + second.length)
        .put((byte) flags)
        .putInt(first.length)
        .put(first)
        .put(second)
        .array();
  }

  /**
   * Reads an answer.
   *
   * @throws IllegalArgumentException if it is none
   */
  static ClusterAnswer decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    int flags = bytes.length < HEADER_BYTES ? -1 : in.get();
    int length = flags < 0 ? -1 : in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new IllegalArgumentException("no answer about a cluster: " + bytes.length + " bytes");
    }
    try {
      MemberListResponse first = MemberListResponse.parseFrom(in.slice().limit(length));
      in.position(in.position() + length);
      MemberListResponse second = MemberListResponse.parseFrom(in);
      return new ClusterAnswer(
          first.getHeader().getClusterId(),
          first.getHeader().getMemberId(),
          (flags & REMOVED) != 0,
          (flags & CONFIGURED) != 0,
          first.getMembersList(),
          second.getMembersList());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("no answer about a cluster", e);
    }
  }
}
