package io.tidemark.ctl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.LeaseGrantResponse;
import io.tidemark.api.etcdserverpb.LeaseKeepAliveResponse;
import io.tidemark.api.etcdserverpb.LeaseLeasesResponse;
import io.tidemark.api.etcdserverpb.LeaseRevokeResponse;
import io.tidemark.api.etcdserverpb.LeaseStatus;
import io.tidemark.api.etcdserverpb.LeaseTimeToLiveResponse;
import io.tidemark.api.etcdserverpb.ResponseHeader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Expected texts are what etcdctl prints for the same answers. */
class LeasePrinterTest {
  private static final ResponseHeader HEADER =
      ResponseHeader.newBuilder()
          .setClusterId(6964728607212473779L)
          .setMemberId(-8760869997219646829L)
          .setRevision(3)
          .setRaftTerm(2)
          .build();
  private static final String JSON =
      "{\"cluster_id\":6964728607212473779,\"member_id\":9685874076489904787,"
          + "\"revision\":3,\"raft_term\":2";
  private static final String FIELDS =
      """
      "ClusterID" : 6964728607212473779
      "MemberID" : 9685874076489904787
      "Revision" : 3
      "RaftTerm" : 2
      """;

  private static void prints(
      String simple, String json, String fields, Consumer<LeasePrinter> what) {
    assertEquals(simple, printed(LeasePrinter.Simple::new, what));
    assertEquals(json, printed(LeasePrinter.Json::new, what));
    assertEquals(fields, printed(LeasePrinter.Fields::new, what));
  }

  private static String printed(
      Function<PrintStream, LeasePrinter> format, Consumer<LeasePrinter> what) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    what.accept(format.apply(new PrintStream(bytes, true, StandardCharsets.UTF_8)));
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void grant() {
    LeaseGrantResponse response =
        LeaseGrantResponse.newBuilder().setHeader(HEADER).setID(-5).setTTL(30).build();
    prints(
        "lease fffffffffffffffb granted with TTL(30s)\n",
        JSON + ",\"ID\":-5,\"TTL\":30,\"Error\":\"\"}\n",
        FIELDS + "\"ID\" : -5\n\"TTL\" : 30\n",
        printer -> printer.granted(response));
  }

  @Test
  void revoke() {
    LeaseRevokeResponse response = LeaseRevokeResponse.newBuilder().setHeader(HEADER).build();
    prints(
        "lease 00000000000003e7 revoked\n",
        "{\"header\":" + JSON + "}}\n",
        FIELDS,
        printer -> printer.revoked(999, response));
  }

  @Test
  void timeToLive() {
    LeaseTimeToLiveResponse response =
        LeaseTimeToLiveResponse.newBuilder()
            .setHeader(HEADER)
            .setID(999)
            .setTTL(29)
            .setGrantedTTL(30)
            .addKeys(ByteString.copyFromUtf8("fob"))
            .addKeys(ByteString.copyFromUtf8("foo"))
            .build();
    prints(
        "lease 00000000000003e7 granted with TTL(30s), remaining(29s), attached keys([fob foo])\n",
        JSON + ",\"id\":999,\"ttl\":29,\"granted-ttl\":30,\"keys\":[\"Zm9i\",\"Zm9v\"]}\n",
        FIELDS
            + "\"ID\" : 999\n\"TTL\" : 29\n\"GrantedTTL\" : 30\n"
            + "\"Key\" : \"fob\"\n\"Key\" : \"foo\"\n",
        printer -> printer.left(response, true));
    LeaseTimeToLiveResponse gone =
        LeaseTimeToLiveResponse.newBuilder().setHeader(HEADER).setID(999).setTTL(-1).build();
    prints(
        "lease 00000000000003e7 already expired\n",
        JSON + ",\"id\":999,\"ttl\":-1,\"granted-ttl\":0,\"keys\":null}\n",
        FIELDS + "\"ID\" : 999\n\"TTL\" : -1\n\"GrantedTTL\" : 0\n",
        printer -> printer.left(gone, true));
  }

  @Test
  void list() {
    LeaseLeasesResponse response =
        LeaseLeasesResponse.newBuilder()
            .setHeader(HEADER)
            .addLeases(LeaseStatus.newBuilder().setID(1))
            .addLeases(LeaseStatus.newBuilder().setID(2))
            .build();
    prints(
        "found 2 leases\n0000000000000001\n0000000000000002\n",
        JSON + ",\"leases\":[{\"id\":1},{\"id\":2}]}\n",
        FIELDS + "\"ID\" : 1\n\"ID\" : 2\n",
        printer -> printer.leases(response));
  }

  @Test
  void keepAlive() {
    LeaseKeepAliveResponse response =
        LeaseKeepAliveResponse.newBuilder().setHeader(HEADER).setID(999).setTTL(30).build();
    prints(
        "lease 00000000000003e7 keepalived with TTL(30)\n",
        JSON + ",\"ID\":999,\"TTL\":30}\n",
        FIELDS + "\"ID\" : 999\n\"TTL\" : 30\n",
        printer -> printer.keptAlive(response));
  }
}
