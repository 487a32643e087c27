package io.tidemark.server.access;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.PutResponse;
import io.tidemark.api.etcdserverpb.ResponseHeader;
import io.tidemark.api.etcdserverpb.TxnResponse;
import io.tidemark.api.mvccpb.KeyValue;
import org.junit.jupiter.api.Test;

final class HeadersTest {
  private static final long CLUSTER = 0xF000_0000_0000_0001L;
  private static final long MEMBER = 7;
  private static final long TERM = 300;

  private final Headers headers = new Headers(CLUSTER, MEMBER, () -> TERM);

  private static ResponseHeader header(long revision) {
    return ResponseHeader.newBuilder()
        .setClusterId(CLUSTER)
        .setMemberId(MEMBER)
        .setRevision(revision)
        .setRaftTerm(TERM)
        .build();
  }

  @Test
  void idsAndTermJoinTheRevisionThatIsThere() {
    PutResponse bare =
        PutResponse.newBuilder()
            .setHeader(ResponseHeader.newBuilder().setRevision(1L << 40))
            .setPrevKv(KeyValue.newBuilder().setKey(ByteString.copyFromUtf8("k")))
            .build();
    PutResponse whole = bare.toBuilder().setHeader(header(1L << 40)).build();
    // byte for byte: one header, fields in order
    assertEquals(whole.toByteString(), headers.complete(bare.toByteString()).joined());
  }

  @Test
  void headerThatIsPresentButEmptyIsFilled() {
    TxnResponse bare =
        TxnResponse.newBuilder()
            .setHeader(ResponseHeader.getDefaultInstance())
            .setSucceeded(true)
            .build();
    TxnResponse whole = bare.toBuilder().setHeader(header(0)).build();
    assertEquals(whole.toByteString(), headers.complete(bare.toByteString()).joined());
  }

  @Test
  void responseWithoutHeaderGetsOne() {
    TxnResponse bare = TxnResponse.newBuilder().setSucceeded(true).build();
    TxnResponse whole = bare.toBuilder().setHeader(header(0)).build();
    assertEquals(whole.toByteString(), headers.complete(bare.toByteString()).joined());
    assertEquals(
        PutResponse.newBuilder().setHeader(header(0)).build().toByteString(),
        headers.complete(ByteString.EMPTY).joined());
  }

  @Test
  void fieldAndMessageAgree() {
    for (long revision : new long[] {0, 1, 127, 128, Long.MAX_VALUE}) {
      assertEquals(
          PutResponse.newBuilder().setHeader(headers.message(revision)).build().toByteString(),
          headers.field(revision));
    }
  }
}
