package io.tidemark.server.access;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.UnsafeByteOperations;
import com.google.protobuf.WireFormat;
import io.tidemark.api.etcdserverpb.ResponseHeader;
import io.tidemark.server.rpc.Spliced;
import java.io.IOException;
import java.util.function.LongSupplier;

/**
 * Response headers of this member. Every response message has its header in field 1, so a header
 * can be put in front of ready bytes without reading them. Any thread.
 */
public final class Headers {
  private static final int HEADER_TAG =
      (1 << 3) | WireFormat.WIRETYPE_LENGTH_DELIMITED; // the same in all responses

  private final long clusterId;
  private final long memberId;
  private final ByteString ids;
  private final LongSupplier term;

  /**
   * @param term the term that this member knows, asked for each response
   */
  public Headers(long clusterId, long memberId, LongSupplier term) {
    this.clusterId = clusterId;
    this.memberId = memberId;
    this.ids =
        ResponseHeader.newBuilder()
            .setClusterId(clusterId)
            .setMemberId(memberId)
            .build()
            .toByteString();
    this.term = term;
  }

  public long memberId() {
    return memberId;
  }

  /** The term that a header made now names. */
  public long term() {
    return term.getAsLong();
  }

  /** The header as a message. */
  public ResponseHeader message(long revision) {
    return ResponseHeader.newBuilder()
        .setClusterId(clusterId)
        .setMemberId(memberId)
        .setRevision(revision)
        .setRaftTerm(term.getAsLong())
        .build();
  }

  /** The header as field 1 of a response. */
  public ByteString field(long revision) {
    int size =
        revision == 0
            ? 0
            : CodedOutputStream.computeInt64Size(ResponseHeader.REVISION_FIELD_NUMBER, revision);
    byte[] content = new byte[size];
    try {
      if (revision != 0) {
        CodedOutputStream out = CodedOutputStream.newInstance(content);
        out.writeInt64(ResponseHeader.REVISION_FIELD_NUMBER, revision);
        out.flush();
      }
    } catch (IOException e) {
      throw new IllegalStateException("an array of the right size was too small", e);
    }
    return field(UnsafeByteOperations.unsafeWrap(content));
  }

  /**
   * Completes a response whose header, if it has any, comes first and holds only the revision. The
   * bytes behind it are not touched.
   */
  public Spliced complete(ByteString response) {
    if (response.isEmpty() || response.byteAt(0) != HEADER_TAG) {
      return Spliced.of(field(ByteString.EMPTY), response);
    }
    try {
      CodedInputStream in = response.newCodedInput();
      in.readTag();
      int length = in.readRawVarint32();
      int start = in.getTotalBytesRead();
      ByteString header = field(response.substring(start, start + length));
      ByteString rest = response.substring(start + length);
      return rest.isEmpty() ? Spliced.of(header) : Spliced.of(header, rest);
    } catch (IOException e) {
      throw new IllegalStateException("a response of this member is not readable", e);
    }
  }

  /** Field numbers stay in order: ids, what the content holds (the revision), term. */
  private ByteString field(ByteString content) {
    long raftTerm = term.getAsLong();
    int termSize =
        CodedOutputStream.computeUInt64Size(ResponseHeader.RAFT_TERM_FIELD_NUMBER, raftTerm);
    int size = ids.size() + content.size() + termSize;
    byte[] field = new byte[1 + CodedOutputStream.computeUInt32SizeNoTag(size) + size];
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(field);
      out.writeUInt32NoTag(HEADER_TAG);
      out.writeUInt32NoTag(size);
      out.writeRawBytes(ids);
      out.writeRawBytes(content);
      out.writeUInt64(ResponseHeader.RAFT_TERM_FIELD_NUMBER, raftTerm);
      out.flush();
    } catch (IOException e) {
      throw new IllegalStateException("an array of the right size was too small", e);
    }
    return UnsafeByteOperations.unsafeWrap(field);
  }
}
