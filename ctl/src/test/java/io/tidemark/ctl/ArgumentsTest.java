package io.tidemark.ctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.Compare;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.TxnRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ArgumentsTest {
  private static final ByteString ZERO = ByteString.copyFrom(new byte[] {0});

  private static ByteString bytes(String text) {
    return ByteString.copyFromUtf8(text);
  }

  /** Runs a command that fails before it connects; the result is its exit code and message. */
  private static String failing(Map<String, String> env, String... args) {
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    PrintStream err = new PrintStream(errors, true, StandardCharsets.UTF_8);
    PrintStream out = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    int exitCode = Main.run(args, env, InputStream.nullInputStream(), out, err);
    return exitCode + " " + errors.toString(StandardCharsets.UTF_8).lines().findFirst().orElse("");
  }

  private static String failing(String... args) {
    return failing(Map.of(), args);
  }

  @Test
  void spans() {
    assertEquals(new KeySpan(bytes("a"), ByteString.EMPTY), KeySpan.of("a", "", false, false));
    assertEquals(new KeySpan(bytes("a"), bytes("z")), KeySpan.of("a", "z", false, false));
    assertEquals(new KeySpan(bytes("ab"), bytes("ac")), KeySpan.of("ab", "", true, false));
    assertEquals(new KeySpan(bytes("a"), ZERO), KeySpan.of("a", "", false, true));
    assertEquals(new KeySpan(ZERO, ZERO), KeySpan.of("", "", true, false));
    ByteString high = ByteString.copyFrom(new byte[] {'a', (byte) 0xff});
    assertEquals(bytes("b"), KeySpan.afterPrefix(high));
    assertEquals(ZERO, KeySpan.afterPrefix(ByteString.copyFrom(new byte[] {(byte) 0xff})));
  }

  @Test
  void mistakesHaveEtcdctlsTextAndCode() {
    assertEquals(
        "128 Error: get command needs one argument as key and an optional argument as range_end",
        failing("get"));
    assertEquals(
        "128 Error: too many arguments, only accept one argument when `--prefix` or `--from-key`"
            + " is set",
        failing("get", "a", "b", "--prefix"));
    assertEquals("4 Error: bad sort order XX", failing("get", "a", "--order", "XX"));
    assertEquals("4 Error: unsupported output format", failing("get", "a", "-w", "bogus"));
    assertEquals(
        "128 Error: put command needs 1 argument and input from stdin or 2 arguments",
        failing("put"));
    assertEquals(
        "1 Error: strconv.ParseInt: parsing \"x\": invalid syntax", failing("compaction", "x"));
    assertEquals(
        "128 Error: bad lease ID (\"zz\"), expecting ID in Hex",
        failing("put", "a", "b", "--lease=zz"));
    assertEquals("128 Error: member name not provided", failing("member", "add"));
    assertEquals("128 Error: too many arguments", failing("member", "add", "a", "b"));
    assertEquals("128 Error: member peer urls not provided", failing("member", "add", "a"));
    assertEquals("128 Error: member peer urls not provided", failing("member", "update", "7"));
    assertEquals("128 Error: member ID is not provided", failing("member", "remove"));
    assertEquals(
        "128 Error: bad member ID arg (strconv.ParseUint: parsing \"zz\": invalid syntax),"
            + " expecting ID in Hex",
        failing("member", "promote", "zz"));
    assertEquals("128 Error: Unknown option: '--bogus'", failing("get", "a", "--bogus"));
    assertEquals(
        "128 Error: endpoint \"nowhere\" is not host:port or a URL",
        failing("get", "a", "--endpoints=nowhere"));
    assertEquals(
        "128 Error: endpoint \"elsewhere\" is not host:port or a URL",
        failing(Map.of("TIDEMARKCTL_ENDPOINTS", "elsewhere"), "get", "a"));
    assertEquals(
        "128 Error: endpoint \"nowhere\" is not host:port or a URL",
        failing(Map.of("TIDEMARKCTL_ENDPOINTS", "elsewhere"), "--endpoints", "nowhere", "ge", "a"));
  }

  @Test
  void endpoints() {
    assertEquals(
        List.of(
            new Endpoint("127.0.0.1:1", "127.0.0.1", 1, false, false),
            new Endpoint("https://[::1]:2", "::1", 2, true, false),
            new Endpoint("http://node_1:3/", "node_1", 3, false, true)),
        Endpoint.parseAll("127.0.0.1:1,https://[::1]:2, http://node_1:3/"));
    assertEquals("[::1]:2", Endpoint.parse("https://[::1]:2").authority());
  }

  private static TxnRequest txn(String text) {
    PrintStream nowhere =
        new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    Session session =
        new Session(new GlobalOptions(), InputStream.nullInputStream(), nowhere, nowhere);
    return new TxnScript(session).parse(text.lines().toList());
  }

  @Test
  void transactions() {
    assertEquals(
        TxnRequest.newBuilder()
            .addCompare(
                Compare.newBuilder()
                    .setKey(bytes("key1"))
                    .setResult(Compare.CompareResult.GREATER)
                    .setTarget(Compare.CompareTarget.MOD)
                    .setModRevision(0))
            .addCompare(
                Compare.newBuilder()
                    .setKey(bytes("a\"b"))
                    .setResult(Compare.CompareResult.NOT_EQUAL)
                    .setTarget(Compare.CompareTarget.VALUE)
                    .setValue(bytes("x y")))
            .addSuccess(
                RequestOp.newBuilder()
                    .setRequestPut(
                        PutRequest.newBuilder()
                            .setKey(bytes("key1"))
                            .setValue(bytes("over wrote"))))
            .addSuccess(
                RequestOp.newBuilder()
                    .setRequestRange(
                        RangeRequest.newBuilder().setKey(bytes("k")).setRangeEnd(bytes("l"))))
            .addFailure(
                RequestOp.newBuilder()
                    .setRequestDeleteRange(
                        DeleteRangeRequest.newBuilder().setKey(bytes("k")).setPrevKv(true)))
            .build(),
        txn(
            """
            mod("key1") > "0"
            value("a\\"b") != "x y"

            put key1 "over wrote"
            get k --prefix

            del k --prev-kv

            """));
    assertEquals(TxnRequest.getDefaultInstance(), txn(""));
  }

  @Test
  void badTransactions() {
    CommandFailure compare = assertThrows(CommandFailure.class, () -> txn("mod(key) > 0"));
    assertEquals("malformed comparison: mod(key) > 0", compare.getMessage());
    assertEquals(3, compare.exitCode());
    CommandFailure request = assertThrows(CommandFailure.class, () -> txn("\nfetch a"));
    assertEquals("invalid txn request: unknown command fetch", request.getMessage());
  }

  @Test
  void lag() throws IOException {
    assertEquals(
        new EndpointStatus.Lag(12, 11, 100, 5, 40),
        LagQuestion.parse(
            "{\"appliedIndex\":\"95\",\"appliedRevision\":12,\"dispatchedRevision\":\"11\",\"leaderCommitHeard\":100,\"leaderCommitAgeMillis\":40}"));
    assertEquals(
        new EndpointStatus.Lag(12, 12, 100, 0, 0),
        LagQuestion.parse(
            "{\"appliedIndex\":101,\"appliedRevision\":12,\"dispatchedRevision\":12,\"leaderCommitHeard\":100,\"leaderCommitAgeMillis\":0}"));
    assertEquals(null, LagQuestion.parse("{}"));
  }
}
