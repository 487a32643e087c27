package io.tidemark.it.differential;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import io.tidemark.api.etcdserverpb.LeaseTimeToLiveResponse;
import io.tidemark.api.etcdserverpb.PutResponse;
import io.tidemark.api.etcdserverpb.ResponseHeader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes out of an answer what two clusters cannot agree on: who they are and which term it is; how
 * many seconds of a lease are left, to one; and the order of a lease's keys, which etcd leaves
 * open. All other bytes stay as they came.
 */
final class Normalized {
  private static final int LENGTH_DELIMITED = 2;
  private static final int HEADER = PutResponse.HEADER_FIELD_NUMBER;

  private Normalized() {}

  static Reply of(Call call, Reply reply) {
    return reply.with(reply.messages().stream().map(message -> message(call, message)).toList());
  }

  private static ByteString message(Call call, ByteString message) {
    boolean sorted = call == Call.LEASE_TIME_TO_LIVE;
    List<ByteString> parts = new ArrayList<>();
    List<ByteString> keys = new ArrayList<>();
    for (WireFields.Field field : WireFields.of(message).fields()) {
      if (field.number() == HEADER) {
        parts.add(withoutIds(field.content()));
      } else if (sorted && field.number() == LeaseTimeToLiveResponse.KEYS_FIELD_NUMBER) {
        keys.add(field.raw());
      } else if (!sorted || field.number() != LeaseTimeToLiveResponse.TTL_FIELD_NUMBER) {
        parts.add(field.raw());
      }
    }
    keys.sort(ByteString.unsignedLexicographicalComparator());
    parts.addAll(keys);
    return ByteString.copyFrom(parts);
  }

  /** A header field again, with everything but what names the cluster, the member and the term. */
  private static ByteString withoutIds(ByteString header) {
    List<ByteString> kept = new ArrayList<>();
    for (WireFields.Field field : WireFields.of(header).fields()) {
      boolean names =
          field.number() == ResponseHeader.CLUSTER_ID_FIELD_NUMBER
              || field.number() == ResponseHeader.MEMBER_ID_FIELD_NUMBER
              || field.number() == ResponseHeader.RAFT_TERM_FIELD_NUMBER;
      if (!names) {
        kept.add(field.raw());
      }
    }
    ByteString rest = ByteString.copyFrom(kept);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(bytes);
      out.writeTag(HEADER, LENGTH_DELIMITED);
      out.writeBytesNoTag(rest);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ByteString.copyFrom(bytes.toByteArray());
  }
}
