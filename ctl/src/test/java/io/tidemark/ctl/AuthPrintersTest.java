package io.tidemark.ctl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import io.tidemark.api.authpb.Permission;
import io.tidemark.api.etcdserverpb.AuthRoleGetResponse;
import io.tidemark.api.etcdserverpb.AuthUserGetResponse;
import io.tidemark.api.etcdserverpb.AuthUserListResponse;
import io.tidemark.api.etcdserverpb.ResponseHeader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Users and roles; expected texts are what etcdctl prints. */
class AuthPrintersTest {
  private static final ResponseHeader HEADER =
      ResponseHeader.newBuilder().setClusterId(1).setMemberId(2).setRevision(3).build();
  private static final String HEADER_FIELDS =
      "\"ClusterID\" : 1\n\"MemberID\" : 2\n\"Revision\" : 3\n\"RaftTerm\" : 0\n";
  private static final AuthRoleGetResponse ROLE =
      AuthRoleGetResponse.newBuilder()
          .setHeader(HEADER)
          .addPerm(permission(Permission.Type.READWRITE, "a", "c"))
          .addPerm(permission(Permission.Type.WRITE, "p", "q"))
          .addPerm(permission(Permission.Type.READ, "x", "\0"))
          .addPerm(permission(Permission.Type.WRITE, "y", ""))
          .build();

  private static Permission permission(Permission.Type type, String key, String end) {
    return Permission.newBuilder()
        .setPermType(type)
        .setKey(ByteString.copyFromUtf8(key))
        .setRangeEnd(ByteString.copyFromUtf8(end))
        .build();
  }

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
  void role() {
    assertEquals(
        "Role r\nKV Read:\n\t[a, c)\n\t[x, <open ended>\nKV Write:\n\t[a, c)\n"
            + "\t[p, q) (prefix p)\n\ty\n",
        printed(AuthPrintersTest::simple, p -> p.role(ROLE, "r")));
    assertEquals(
        HEADER_FIELDS
            + "\"PermType\" :  READWRITE\n\"Key\" : \"a\"\n\"RangeEnd\" : \"c\"\n"
            + "\"PermType\" :  WRITE\n\"Key\" : \"p\"\n\"RangeEnd\" : \"q\"\n"
            + "\"PermType\" :  READ\n\"Key\" : \"x\"\n\"RangeEnd\" : \"\\x00\"\n"
            + "\"PermType\" :  WRITE\n\"Key\" : \"y\"\n\"RangeEnd\" : \"\"\n",
        printed(FieldsPrinter::new, p -> p.role(ROLE, "r")));
    assertEquals(
        "{\"header\":{\"cluster_id\":1,\"member_id\":2,\"revision\":3},\"perm\":["
            + "{\"permType\":2,\"key\":\"YQ==\",\"range_end\":\"Yw==\"},"
            + "{\"permType\":1,\"key\":\"cA==\",\"range_end\":\"cQ==\"},"
            + "{\"key\":\"eA==\",\"range_end\":\"AA==\"},{\"permType\":1,\"key\":\"eQ==\"}]}\n",
        printed(JsonPrinter::new, p -> p.role(ROLE, "r")));
  }

  @Test
  void usersAndChanges() {
    AuthUserGetResponse user =
        AuthUserGetResponse.newBuilder().setHeader(HEADER).addRoles("a").addRoles("b").build();
    assertEquals(
        "User: u\nRoles: a b\n", printed(AuthPrintersTest::simple, p -> p.user(user, "u")));
    AuthUserListResponse list =
        AuthUserListResponse.newBuilder().setHeader(HEADER).addUsers("u").addUsers("v").build();
    assertEquals(
        "u\nv\n",
        printed(
            AuthPrintersTest::simple,
            p -> p.names(list, list.getHeader(), "Users", list.getUsersList())));
    assertEquals(HEADER_FIELDS, printed(FieldsPrinter::new, p -> p.changed(list, HEADER, "done")));
    assertEquals("done\n", printed(AuthPrintersTest::simple, p -> p.changed(list, HEADER, "done")));
  }

  private static String failing(String... args) {
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    PrintStream err = new PrintStream(errors, true, StandardCharsets.UTF_8);
    PrintStream out = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    int code = Main.run(args, Map.of(), new ByteArrayInputStream(new byte[0]), out, err);
    return code + " " + errors.toString(StandardCharsets.UTF_8).lines().findFirst().orElse("");
  }

  @Test
  void mistakesHaveEtcdctlsTextAndCode() {
    assertEquals(
        "128 Error: user add command requires user name as its argument", failing("user", "add"));
    assertEquals(
        "128 Error: user list command requires no arguments", failing("user", "list", "x"));
    assertEquals(
        "128 Error: user grant command requires user name and role name as its argument",
        failing("user", "grant-role", "a"));
    assertEquals(
        "128 Error: role get command requires role name as its argument", failing("role", "get"));
    assertEquals(
        "128 Error: role grant command requires role name, permission type, and key [endkey] as"
            + " its argument",
        failing("role", "grant-permission", "a", "b"));
    assertEquals(
        "128 Error: invalid permission type: bad",
        failing("role", "grant-permission", "a", "bad", "c"));
    assertEquals("128 Error: empty password", failing("user", "add", "zed"));
  }
}
