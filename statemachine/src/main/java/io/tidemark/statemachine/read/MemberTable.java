package io.tidemark.statemachine.read;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnsafeByteOperations;
import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.api.etcdserverpb.MemberListResponse;
import io.tidemark.mvcc.ReadView;
import io.tidemark.mvcc.Table;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The cluster's identity and members, as the store holds them.
 *
 * <p>A row of the member table is a serialized {@link Member} under its id, 8 bytes big-endian.
 */
public final class MemberTable {
  /** Where the store's META table holds the cluster id, 8 bytes big-endian. */
  public static final ByteString CLUSTER_ID_KEY = ByteString.copyFromUtf8("cluster_id");

  /** Where the META table holds the founders as they were, a {@code MemberListResponse}. */
  public static final ByteString FOUNDERS_KEY = ByteString.copyFromUtf8("founders");

  private MemberTable() {}

  /** All members, ascending by unsigned id. */
  public static List<Member> members(ReadView view) {
    List<Member> members = new ArrayList<>();
    view.tableScan(Table.MEMBER, (id, row) -> members.add(member(row)));
    return members;
  }

  /** Whether a member was removed; its id never comes back. */
  public static boolean removed(ReadView view, long id) {
    return view.tableGet(Table.REMOVED_MEMBER, idBytes(id)) != null;
  }

  /**
   * The members that the cluster was founded with, which its first position wrote; empty if the
   * store was restored from a backup or has no position yet.
   */
  public static List<Member> founders(ReadView view) {
    ByteString row = view.tableGet(Table.META, FOUNDERS_KEY);
    try {
      return row == null ? List.of() : MemberListResponse.parseFrom(row).getMembersList();
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("unreadable founders", e);
    }
  }

  /** The cluster id, once the store has its first position. */
  public static OptionalLong clusterId(ReadView view) {
    ByteString row = view.tableGet(Table.META, CLUSTER_ID_KEY);
    return row == null
        ? OptionalLong.empty()
        : OptionalLong.of(row.asReadOnlyByteBuffer().getLong());
  }

  /** An id as a row's key: big-endian, so that the table's order is the unsigned one. */
  public static ByteString idBytes(long id) {
    byte[] bytes = new byte[Long.BYTES];
    ByteBuffer.wrap(bytes).putLong(id);
    return UnsafeByteOperations.unsafeWrap(bytes);
  }

  /**
   * Reads a row.
   *
   * @throws IllegalStateException if the store is damaged
   */
  public static Member member(ByteString row) {
    try {
      return Member.parseFrom(row);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("unreadable row in the member table", e);
    }
  }
}
