package io.tidemark.server.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.tidemark.api.etcdserverpb.Compare;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.ResponseHeader;
import io.tidemark.api.etcdserverpb.StatusResponse;
import io.tidemark.api.etcdserverpb.TxnRequest;
import org.junit.jupiter.api.Test;

class JsonMessagesTest {
  private static String written(Message message) {
    return JsonMessages.write("", message, "").toStringUtf8();
  }

  private static <M extends Message> Message read(String json, M empty) throws Exception {
    return JsonMessages.read(json, empty);
  }

  @Test
  void numbersOf64BitsAreTextBytesAreBase64AndZeroesAreLeftOut() {
    assertEquals("{}", written(StatusResponse.getDefaultInstance()));
    assertEquals(
        "{\"header\":{\"cluster_id\":\"18446744073709551615\",\"raft_term\":\"2\"},"
            + "\"dbSize\":\"-1\",\"isLearner\":true}",
        written(
            StatusResponse.newBuilder()
                .setHeader(ResponseHeader.newBuilder().setClusterId(-1).setRaftTerm(2))
                .setDbSize(-1)
                .setIsLearner(true)
                .build()));
    assertEquals(
        "{\"key\":\"AP/+\",\"sort_order\":\"DESCEND\"}",
        written(
            RangeRequest.newBuilder()
                .setKey(ByteString.copyFrom(new byte[] {0, -1, -2}))
                .setSortOrder(RangeRequest.SortOrder.DESCEND)
                .build()));
  }

  @Test
  void textIsPutAround() {
    assertEquals(
        "{\"result\":{\"ID\":\"7\"}}\n",
        JsonMessages.write("{\"result\":", LeaseGrantRequest.newBuilder().setID(7).build(), "}\n")
            .toStringUtf8());
  }

  @Test
  void bothSpellingsAndBothFormsOfNumbersAreRead() throws Exception {
    RangeRequest expected =
        RangeRequest.newBuilder()
            .setKey(ByteString.copyFromUtf8("foo"))
            .setRangeEnd(ByteString.copyFromUtf8("fop"))
            .setMinModRevision(9007199254740993L)
            .setSortOrder(RangeRequest.SortOrder.DESCEND)
            .build();
    for (String json :
        new String[] {
          "{\"key\":\"Zm9v\",\"range_end\":\"Zm9w\",\"min_mod_revision\":\"9007199254740993\","
              + "\"sort_order\":\"DESCEND\"}",
          "{\"key\":\"Zm9v\",\"rangeEnd\":\"Zm9w\",\"minModRevision\":9007199254740993,"
              + "\"sortOrder\":2,\"limit\":null}",
          "{\"key\":\"Zm9v\",\"range_end\":\"Zm9w\",\"min_mod_revision\":9007199254740993,"
              + "\"sort_order\":2,\"unheard\":{\"of\":[1]}}"
        }) {
      assertEquals(expected, read(json, RangeRequest.getDefaultInstance()), json);
    }
  }

  @Test
  void unknownFieldsArePassedOverAtAnyDepth() throws Exception {
    TxnRequest expected =
        TxnRequest.newBuilder()
            .addCompare(
                Compare.newBuilder()
                    .setTarget(Compare.CompareTarget.VERSION)
                    .setKey(ByteString.copyFromUtf8("foo"))
                    .setVersion(1))
            .addSuccess(
                RequestOp.newBuilder()
                    .setRequestPut(PutRequest.newBuilder().setKey(ByteString.copyFromUtf8("foo"))))
            .build();
    assertEquals(
        expected,
        read(
            "{\"compare\":[{\"target\":\"VERSION\",\"key\":\"Zm9v\",\"version\":\"1\",\"a\":1}],"
                + "\"success\":[{\"request_put\":{\"key\":\"Zm9v\",\"b\":\"c\"}}],\"d\":null}",
            TxnRequest.getDefaultInstance()));
  }

  /** A request with a name that we don't know would mean something else without it. */
  @Test
  void unknownNamesOfEnumsAreRefused() {
    assertThrows(
        BadRequestException.class,
        () -> read("{\"sort_order\":\"NOPE\"}", RangeRequest.getDefaultInstance()));
    assertThrows(
        BadRequestException.class,
        () -> read("{\"sort_order\":\"NOPE\",\"a\":1}", RangeRequest.getDefaultInstance()));
  }

  @Test
  void whatIsNoMessageIsRefused() {
    for (String json :
        new String[] {"{", "[]", "7", "{\"key\":5.5}", "{\"key\":\"%\"}", "{\"limit\":\"x\"}"}) {
      assertThrows(
          BadRequestException.class, () -> read(json, RangeRequest.getDefaultInstance()), json);
    }
  }
}
