package io.tidemark.ctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.CompactionResponse;
import io.tidemark.api.etcdserverpb.DeleteRangeResponse;
import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.api.etcdserverpb.MemberListResponse;
import io.tidemark.api.etcdserverpb.PutResponse;
import io.tidemark.api.etcdserverpb.RangeResponse;
import io.tidemark.api.etcdserverpb.ResponseHeader;
import io.tidemark.api.etcdserverpb.ResponseOp;
import io.tidemark.api.etcdserverpb.StatusResponse;
import io.tidemark.api.etcdserverpb.TxnResponse;
import io.tidemark.api.etcdserverpb.WatchResponse;
import io.tidemark.api.mvccpb.Event;
import io.tidemark.api.mvccpb.KeyValue;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Expected texts are what etcdctl prints for the same answers. */
class PrintersTest {
  private static final ResponseHeader HEADER =
      ResponseHeader.newBuilder()
          .setClusterId(0x8bc2755990badc08L)
          .setMemberId(0x15e2aec43b4ef6dfL)
          .setRevision(6)
          .setRaftTerm(19)
          .build();
  private static final KeyValue B =
      KeyValue.newBuilder()
          .setKey(ByteString.copyFromUtf8("b"))
          .setValue(ByteString.copyFromUtf8("3"))
          .setCreateRevision(4)
          .setModRevision(5)
          .setVersion(2)
          .build();
  private static final String HEADER_JSON =
      "{\"cluster_id\":10070740744294554632,\"member_id\":1577014977364948703,"
          + "\"revision\":6,\"raft_term\":19}";
  private static final String HEADER_FIELDS =
      """
      "ClusterID" : 10070740744294554632
      "MemberID" : 1577014977364948703
      "Revision" : 6
      "RaftTerm" : 19
      """;
  private static final String B_JSON =
      "{\"key\":\"Yg==\",\"create_revision\":4,\"mod_revision\":5,\"version\":2,"
          + "\"value\":\"Mw==\"}";

  private static String printed(Function<PrintStream, Printer> format, Consumer<Printer> what) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8);
    what.accept(format.apply(out));
    out.flush();
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static Printer simple(PrintStream out) {
    return new SimplePrinter(out, SimplePrinter.Content.ALL, false);
  }

  @Test
  void put() {
    PutResponse response = PutResponse.newBuilder().setHeader(HEADER).setPrevKv(B).build();
    assertEquals("OK\nb\n3\n", printed(PrintersTest::simple, p -> p.put(response)));
    assertEquals(
        "{\"header\":" + HEADER_JSON + ",\"prev_kv\":" + B_JSON + "}\n",
        printed(JsonPrinter::new, p -> p.put(response)));
    assertEquals(
        HEADER_FIELDS
            + """
            "PrevKey" : "b"
            "PrevCreateRevision" : 4
            "PrevModRevision" : 5
            "PrevVersion" : 2
            "PrevValue" : "3"
            "PrevLease" : 0
            """,
        printed(FieldsPrinter::new, p -> p.put(response)));
    CommandFailure failure =
        assertThrows(CommandFailure.class, () -> printed(TablePrinter::new, p -> p.put(response)));
    assertEquals("table not supported as output format", failure.getMessage());
    assertEquals(4, failure.exitCode());
  }

  @Test
  void range() {
    RangeResponse response =
        RangeResponse.newBuilder().setHeader(HEADER).addKvs(B).setMore(true).setCount(2).build();
    assertEquals("b\n3\n", printed(PrintersTest::simple, p -> p.range(response)));
    assertEquals(
        "b\n\n",
        printed(
            out -> new SimplePrinter(out, SimplePrinter.Content.KEYS, false),
            p -> p.range(response)));
    assertEquals(
        "3\n",
        printed(
            out -> new SimplePrinter(out, SimplePrinter.Content.VALUES, false),
            p -> p.range(response)));
    assertEquals(
        "\\x62\n\\x33\n",
        printed(
            out -> new SimplePrinter(out, SimplePrinter.Content.ALL, true),
            p -> p.range(response)));
    RangeResponse count = RangeResponse.newBuilder().setCount(2).build();
    assertEquals(
        "2\n",
        printed(
            out -> new SimplePrinter(out, SimplePrinter.Content.COUNT, false),
            p -> p.range(count)));
    assertEquals(
        "{\"header\":" + HEADER_JSON + ",\"kvs\":[" + B_JSON + "],\"more\":true,\"count\":2}\n",
        printed(JsonPrinter::new, p -> p.range(response)));
    assertEquals(
        HEADER_FIELDS
            + """
            "Key" : "b"
            "CreateRevision" : 4
            "ModRevision" : 5
            "Version" : 2
            "Value" : "3"
            "Lease" : 0
            "More" : true
            "Count" : 2
            """,
        printed(FieldsPrinter::new, p -> p.range(response)));
  }

  @Test
  void deleteAndCompaction() {
    DeleteRangeResponse response =
        DeleteRangeResponse.newBuilder().setHeader(HEADER).setDeleted(1).addPrevKvs(B).build();
    assertEquals("1\nb\n3\n", printed(PrintersTest::simple, p -> p.delete(response)));
    CompactionResponse compacted = CompactionResponse.newBuilder().setHeader(HEADER).build();
    assertEquals(
        "compacted revision 3\n", printed(PrintersTest::simple, p -> p.compaction(compacted, 3)));
  }

  @Test
  void txn() {
    TxnResponse response =
        TxnResponse.newBuilder()
            .setHeader(HEADER)
            .addResponses(ResponseOp.newBuilder().setResponsePut(PutResponse.getDefaultInstance()))
            .addResponses(
                ResponseOp.newBuilder()
                    .setResponseRange(RangeResponse.newBuilder().addKvs(B).setCount(1)))
            .build();
    assertEquals("FAILURE\n\nOK\n\nb\n3\n", printed(PrintersTest::simple, p -> p.txn(response)));
    assertEquals(
        "{\"header\":"
            + HEADER_JSON
            + ",\"responses\":[{\"Response\":{\"ResponsePut\":{}}},"
            + "{\"Response\":{\"ResponseRange\":{\"kvs\":["
            + B_JSON
            + "],\"count\":1}}}]}\n",
        printed(JsonPrinter::new, p -> p.txn(response)));
  }

  @Test
  void watch() {
    WatchResponse response =
        WatchResponse.newBuilder()
            .setHeader(HEADER)
            .addEvents(Event.newBuilder().setKv(B).setPrevKv(B))
            .addEvents(
                Event.newBuilder()
                    .setType(Event.EventType.DELETE)
                    .setKv(KeyValue.newBuilder().setKey(B.getKey()).setModRevision(6)))
            .build();
    assertEquals(
        "PUT\nb\n3\nb\n3\nDELETE\nb\n\n", printed(PrintersTest::simple, p -> p.watch(response)));
    assertEquals(
        "{\"Header\":"
            + HEADER_JSON
            + ",\"Events\":[{\"kv\":"
            + B_JSON
            + ",\"prev_kv\":"
            + B_JSON
            + "},{\"type\":1,\"kv\":{\"key\":\"Yg==\",\"mod_revision\":6}}],"
            + "\"CompactRevision\":0,\"Canceled\":false,\"Created\":false}\n",
        printed(JsonPrinter::new, p -> p.watch(response)));
    assertEquals(
        "progress notify: 6\n",
        printed(
            PrintersTest::simple,
            p -> p.watch(WatchResponse.newBuilder().setHeader(HEADER).build())));
  }

  @Test
  void members() {
    MemberListResponse response =
        MemberListResponse.newBuilder()
            .setHeader(HEADER)
            .addMembers(
                Member.newBuilder()
                    .setID(0xb1d5bd365670d602L)
                    .setName("m2")
                    .addPeerURLs("http://127.0.0.1:24821")
                    .addClientURLs("http://127.0.0.1:24820"))
            .addMembers(Member.newBuilder().setID(16).setIsLearner(true).addPeerURLs("http://a:1"))
            .build();
    assertEquals(
        """
        b1d5bd365670d602, started, m2, http://127.0.0.1:24821, http://127.0.0.1:24820, false
        10, unstarted, , http://a:1, , true
        """,
        printed(PrintersTest::simple, p -> p.members(response)));
    assertEquals(
        """
        +------------------+-----------+------+------------------------+------------------------+------------+
        |        ID        |  STATUS   | NAME |       PEER ADDRS       |      CLIENT ADDRS      | IS LEARNER |
        +------------------+-----------+------+------------------------+------------------------+------------+
        | b1d5bd365670d602 |   started |   m2 | http://127.0.0.1:24821 | http://127.0.0.1:24820 |      false |
        |               10 | unstarted |      |             http://a:1 |                        |       true |
        +------------------+-----------+------+------------------------+------------------------+------------+
        """,
        printed(TablePrinter::new, p -> p.members(response)));
    assertEquals(
        "{\"header\":"
            + HEADER_JSON
            + ",\"members\":[{\"ID\":12814356355828733442,\"name\":\"m2\","
            + "\"peerURLs\":[\"http://127.0.0.1:24821\"],"
            + "\"clientURLs\":[\"http://127.0.0.1:24820\"]},"
            + "{\"ID\":16,\"peerURLs\":[\"http://a:1\"],\"isLearner\":true}]}\n",
        printed(JsonPrinter::new, p -> p.members(response)));
  }

  @Test
  void statusWithLag() {
    StatusResponse status =
        StatusResponse.newBuilder()
            .setHeader(HEADER)
            .setVersion("3.7.1")
            .setStorageVersion("3.7.0")
            .setDbSize(20480)
            .setDbSizeInUse(16384)
            .setDbSizeQuota(2_147_483_648L)
            .setLeader(HEADER.getMemberId())
            .setRaftIndex(61)
            .setRaftTerm(19)
            .setRaftAppliedIndex(60)
            .build();
    List<EndpointStatus> one =
        List.of(
            new EndpointStatus("127.0.0.1:1", status, new EndpointStatus.Lag(31, 30, 61, 1, 40)));
    assertEquals(
        "127.0.0.1:1, 15e2aec43b4ef6df, 3.7.1, 3.7.0, 20 kB, 16 kB, 20%, 2.1 GB, true, false, 19,"
            + " 61, 60, , , false, 31, 30, 61, 1, 40ms\n",
        printed(PrintersTest::simple, p -> p.status(one)));
    assertEquals(
        "[{\"Endpoint\":\"127.0.0.1:1\",\"Status\":{\"header\":"
            + HEADER_JSON
            + ",\"version\":\"3.7.1\",\"dbSize\":20480,\"leader\":1577014977364948703,"
            + "\"raftIndex\":61,\"raftTerm\":19,\"raftAppliedIndex\":60,\"dbSizeInUse\":16384,"
            + "\"storageVersion\":\"3.7.0\",\"dbSizeQuota\":2147483648},"
            + "\"Lag\":{\"appliedRevision\":31,\"dispatchedRevision\":30,\"leaderCommit\":61,\"entries\":1,\"ageMillis\":40}}]\n",
        printed(JsonPrinter::new, p -> p.status(one)));
  }

  @Test
  void health() {
    List<EndpointHealth> both =
        List.of(
            new EndpointHealth("a:1", Duration.ofNanos(1_855_428), ""),
            new EndpointHealth("b:1", Duration.ofSeconds(5), "context deadline exceeded"));
    assertEquals(
        """
        a:1 is healthy: successfully committed proposal: took = 1.855428ms
        b:1 is unhealthy: failed to commit proposal: context deadline exceeded
        """,
        printed(PrintersTest::simple, p -> p.health(both)));
    assertEquals(
        "[{\"endpoint\":\"a:1\",\"health\":true,\"took\":\"1.855428ms\"},"
            + "{\"endpoint\":\"b:1\",\"health\":false,\"took\":\"5s\","
            + "\"error\":\"context deadline exceeded\"}]\n",
        printed(JsonPrinter::new, p -> p.health(both)));
  }
}
