package io.tidemark.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.JsonFormat;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.tidemark.api.etcdserverpb.CompactionRequest;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.tidemarkpb.Child;
import io.tidemark.api.tidemarkpb.ChildrenRequest;
import io.tidemark.api.tidemarkpb.ChildrenResponse;
import io.tidemark.api.tidemarkpb.ConsoleGrpc;
import io.tidemark.api.tidemarkpb.HistoryRequest;
import io.tidemark.api.tidemarkpb.HistoryResponse;
import io.tidemark.api.tidemarkpb.KeyVersion;
import io.tidemark.api.tidemarkpb.MemberFigures;
import io.tidemark.api.tidemarkpb.MembersRequest;
import io.tidemark.api.tidemarkpb.MembersResponse;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the console asks of a member. */
@Timeout(60)
class ConsoleOverSocketsTest {
  @TempDir Path data;
  private LoneMember lone;
  private KVGrpc.KVBlockingStub kv;
  private ConsoleGrpc.ConsoleBlockingStub console;

  @BeforeEach
  void start() throws Exception {
    lone = LoneMember.start(data);
    kv = KVGrpc.newBlockingStub(lone.channel);
    console = ConsoleGrpc.newBlockingStub(lone.channel);
  }

  @AfterEach
  void stop() {
    lone.close();
  }

  private static ByteString bytes(String text) {
    return ByteString.copyFrom(text, StandardCharsets.ISO_8859_1);
  }

  private long put(String key, String value) {
    return kv.put(PutRequest.newBuilder().setKey(bytes(key)).setValue(bytes(value)).build())
        .getHeader()
        .getRevision();
  }

  private long delete(String key) {
    return kv.deleteRange(DeleteRangeRequest.newBuilder().setKey(bytes(key)).build())
        .getHeader()
        .getRevision();
  }

  private static ChildrenRequest.Builder below(String prefix) {
    return ChildrenRequest.newBuilder().setPrefix(bytes(prefix)).setSeparator(bytes("/"));
  }

  private static List<String> texts(ChildrenResponse response) {
    List<String> texts = new ArrayList<>();
    for (Child child : response.getChildrenList()) {
      String key = child.getKey().toString(StandardCharsets.ISO_8859_1);
      texts.add(
          child.getFolder()
              ? key + (child.getCount() == 0 ? "" : " holds " + child.getCount())
              : key + " = " + child.getValueSize() + " B");
    }
    return texts;
  }

  @Test
  void keysAsFolders() {
    long first = put("a", "1");
    put("a/", "12");
    put("a/b", "");
    put("a/b/c", "123");
    put("a0", "");
    put("b/x", "");
    put("\u00ff\u00ff/x", "");
    put("\u00ff\u00ff/\u00ff\u00ff", "");
    assertEquals(
        List.of("a = 1 B", "a/", "a0 = 0 B", "b/", "\u00ff\u00ff/"),
        texts(console.children(below("").build())));
    assertEquals(
        List.of("a/ = 2 B", "a/b = 0 B", "a/b/ holds 1"),
        texts(console.children(below("a/").setCount(true).build())));
    ChildrenResponse counted = console.children(below("").setCount(true).build());
    assertEquals(
        List.of("a = 1 B", "a/ holds 3", "a0 = 0 B", "b/ holds 1", "\u00ff\u00ff/ holds 2"),
        texts(counted));
    assertEquals(8, counted.getCount());
    assertEquals(List.of("a = 1 B"), texts(console.children(below("").setRevision(first).build())));
    assertEquals(List.of(), texts(console.children(below("nowhere").build())));
    ChildrenRequest dots = below("").setSeparator(bytes("b/")).build();
    assertEquals(
        List.of(
            "a = 1 B",
            "a/ = 2 B",
            "a/b = 0 B",
            "a/b/",
            "a0 = 0 B",
            "b/",
            "\u00ff\u00ff/x = 0 B",
            "\u00ff\u00ff/\u00ff\u00ff = 0 B"),
        texts(console.children(dots)));
  }

  @Test
  void foldersComeInPages() {
    for (int i = 0; i < 7; i++) {
      put("d" + i + "/1", "");
      put("d" + i + "/2", "");
      put("k" + i, "");
    }
    List<String> all = texts(console.children(below("").build()));
    assertEquals(14, all.size());
    List<String> paged = new ArrayList<>();
    ByteString after = ByteString.EMPTY;
    boolean more = true;
    while (more) {
      ChildrenResponse page = console.children(below("").setLimit(3).setAfter(after).build());
      assertTrue(page.getChildrenCount() <= 3);
      paged.addAll(texts(page));
      after = page.getChildren(page.getChildrenCount() - 1).getKey();
      more = page.getMore();
    }
    assertEquals(all, paged);
    assertFalse(console.children(below("").setLimit(14).build()).getMore());
    assertTrue(console.children(below("").setLimit(13).build()).getMore());
  }

  @Test
  void aRevisionThatIsGoneIsRefused() {
    put("a", "1");
    long second = put("a", "2");
    var unused = kv.compact(CompactionRequest.newBuilder().setRevision(second).build());
    assertEquals(
        "etcdserver: mvcc: required revision has been compacted",
        refusal(below("").setRevision(second - 1).build()));
    assertEquals(
        "etcdserver: mvcc: required revision is a future revision",
        refusal(below("").setRevision(second + 1).build()));
    assertEquals(
        "console: separator is not provided",
        refusal(below("").setSeparator(ByteString.EMPTY).build()));
  }

  /** The caller's right was asked for what is below the prefix. */
  @Test
  void aPageGoesOnBelowItsPrefixOnly() {
    put("!", "foreign");
    put("a/", "");
    put("a/b", "");
    put("b/c", "foreign");
    for (String foreign : List.of("\0", "!", "a", "a.", "a0", "b/", "\u00ff")) {
      assertEquals(
          "console: after is not below prefix",
          refusal(below("a/").setAfter(bytes(foreign)).build()));
    }
    assertEquals(
        List.of("a/b = 0 B"), texts(console.children(below("a/").setAfter(bytes("a/")).build())));
    for (String last : List.of("a/b", "a/b/", "a/\u00ff\u00ff/")) {
      assertEquals(
          List.of(), texts(console.children(below("a/").setAfter(bytes(last)).build())), last);
    }
  }

  private String refusal(ChildrenRequest request) {
    Status status =
        Assertions.assertThrows(StatusRuntimeException.class, () -> console.children(request))
            .getStatus();
    return String.valueOf(status.getDescription());
  }

  @Test
  void theHistoryOfAKey() {
    long one = put("k", "1");
    long two = put("k", "2");
    long gone = delete("k");
    long three = put("k", "3");
    HistoryRequest request = HistoryRequest.newBuilder().setKey(bytes("k")).build();
    HistoryResponse all = console.history(request);
    assertEquals(
        List.of(three + " 3 v1", gone + " deleted", two + " 2 v2", one + " 1 v1"), versions(all));
    assertFalse(all.getMore());
    assertEquals(-1, all.getCompactRevision());
    HistoryResponse page = console.history(request.toBuilder().setLimit(2).build());
    assertEquals(versions(all).subList(0, 2), versions(page));
    assertTrue(page.getMore());
    assertEquals(
        versions(all).subList(2, 4),
        versions(console.history(request.toBuilder().setBefore(gone).build())));
    var unused = kv.compact(CompactionRequest.newBuilder().setRevision(gone).build());
    HistoryResponse left = console.history(request);
    assertEquals(List.of(three + " 3 v1"), versions(left));
    assertEquals(gone, left.getCompactRevision());
  }

  private static List<String> versions(HistoryResponse response) {
    List<String> texts = new ArrayList<>();
    for (KeyVersion version : response.getVersionsList()) {
      texts.add(
          version.getRevision()
              + (version.getDeleted()
                  ? " deleted"
                  : " "
                      + version.getKv().getValue().toStringUtf8()
                      + " v"
                      + version.getKv().getVersion()));
    }
    return texts;
  }

  @Test
  void aMemberTellsOfItself() {
    long revision = put("a", "1");
    MembersResponse response = console.members(MembersRequest.getDefaultInstance());
    assertEquals(1, response.getMembersCount());
    assertEquals("lone", response.getMembers(0).getMember().getName());
    assertEquals(0, response.getMembers(0).getRoundTripMicros());
    MemberFigures figures = response.getMembers(0).getFigures();
    assertEquals(response.getHeader().getMemberId(), figures.getMemberId());
    assertEquals(figures.getMemberId(), figures.getLeaderId());
    assertEquals(revision, figures.getRevision());
    assertEquals(-1, figures.getCompactRevision());
    assertEquals(figures.getCommitIndex(), figures.getAppliedIndex());
    assertEquals(List.of(), figures.getWatchers().getSlowestList());
  }

  @Test
  void theSameAsJson() throws Exception {
    put("a/b", "1");
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(
                        URI.create(
                            "http://127.0.0.1:"
                                + lone.member.clientPorts().get(0)
                                + "/console/api/children"))
                    .POST(
                        HttpRequest.BodyPublishers.ofString(
                            "{\"separator\":\"Lw==\",\"count\":true}"))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    assertEquals(200, answer.statusCode());
    ChildrenResponse.Builder parsed = ChildrenResponse.newBuilder();
    JsonFormat.parser().merge(answer.body(), parsed);
    assertEquals(List.of("a/ holds 1"), texts(parsed.build()));
  }
}
