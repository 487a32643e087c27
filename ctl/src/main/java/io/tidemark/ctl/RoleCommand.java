package io.tidemark.ctl;

import io.tidemark.api.authpb.Permission;
import io.tidemark.api.etcdserverpb.AuthRoleAddRequest;
import io.tidemark.api.etcdserverpb.AuthRoleAddResponse;
import io.tidemark.api.etcdserverpb.AuthRoleDeleteRequest;
import io.tidemark.api.etcdserverpb.AuthRoleDeleteResponse;
import io.tidemark.api.etcdserverpb.AuthRoleGetRequest;
import io.tidemark.api.etcdserverpb.AuthRoleGrantPermissionRequest;
import io.tidemark.api.etcdserverpb.AuthRoleGrantPermissionResponse;
import io.tidemark.api.etcdserverpb.AuthRoleListRequest;
import io.tidemark.api.etcdserverpb.AuthRoleListResponse;
import io.tidemark.api.etcdserverpb.AuthRoleRevokePermissionRequest;
import io.tidemark.api.etcdserverpb.AuthRoleRevokePermissionResponse;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code role add|delete|get|list|grant-permission|revoke-permission}. */
@Command(name = "role", description = "Roles.")
final class RoleCommand {
  private RoleCommand() {}

  static CommandLine group(Session session) {
    return new CommandLine(new RoleCommand())
        .addSubcommand(new Add(session))
        .addSubcommand(new Delete(session))
        .addSubcommand(new Get(session))
        .addSubcommand(new ListAll(session))
        .addSubcommand(new Grant(session))
        .addSubcommand(new Revoke(session));
  }

  @Command(name = "add", description = "Add a role.")
  static final class Add extends AuthCall {
    Add(Session session) {
      super(session, 1, 1, "role add command requires role name as its argument");
    }

    @Override
    void run(Stubs stubs, Printer printer) {
      AuthRoleAddResponse response =
          stubs.auth().roleAdd(AuthRoleAddRequest.newBuilder().setName(word(0)).build());
      printer.changed(response, response.getHeader(), "Role " + word(0) + " created");
    }
  }

  @Command(name = "delete", description = "Delete a role.")
  static final class Delete extends AuthCall {
    Delete(Session session) {
      super(session, 1, 1, "role delete command requires role name as its argument");
    }

    @Override
    void run(Stubs stubs, Printer printer) {
      AuthRoleDeleteResponse response =
          stubs.auth().roleDelete(AuthRoleDeleteRequest.newBuilder().setRole(word(0)).build());
      printer.changed(response, response.getHeader(), "Role " + word(0) + " deleted");
    }
  }

  @Command(name = "get", description = "Show what a role allows.")
  static final class Get extends AuthCall {
    Get(Session session) {
      super(session, 1, 1, "role get command requires role name as its argument");
    }

    @Override
    void run(Stubs stubs, Printer printer) {
      printer.role(
          stubs.auth().roleGet(AuthRoleGetRequest.newBuilder().setRole(word(0)).build()), word(0));
    }
  }

  @Command(name = "list", description = "List the roles.")
  static final class ListAll extends AuthCall {
    ListAll(Session session) {
      super(session, 0, 0, "role list command requires no arguments");
    }

    @Override
    void run(Stubs stubs, Printer printer) {
      AuthRoleListResponse response =
          stubs.auth().roleList(AuthRoleListRequest.getDefaultInstance());
      printer.names(response, response.getHeader(), "Roles", response.getRolesList());
    }
  }

  @Command(
      name = "grant-permission",
      description = "Allow something: ROLE read|write|readwrite KEY [END].")
  static final class Grant extends AuthCall {
    @Option(names = "--prefix", description = "All keys with the prefix KEY.")
    boolean prefix;

    @Option(names = "--from-key", description = "All keys from KEY on.")
    boolean fromKey;

    Grant(Session session) {
      super(
          session,
          3,
          4,
          "role grant command requires role name, permission type, and key [endkey] as its"
              + " argument");
    }

    @Override
    void check() {
      var type = type(word(1));
      var span = span();
    }

    private KeySpan span() {
      return KeySpan.of(word(2), word(3), prefix, fromKey);
    }

    private static Permission.Type type(String word) {
      return switch (word.toLowerCase(Locale.ROOT)) {
        case "read" -> Permission.Type.READ;
        case "write" -> Permission.Type.WRITE;
        case "readwrite" -> Permission.Type.READWRITE;
        default -> throw CommandFailure.badArguments("invalid permission type: " + word);
      };
    }

    @Override
    void run(Stubs stubs, Printer printer) {
      KeySpan span = span();
      AuthRoleGrantPermissionResponse response =
          stubs
              .auth()
              .roleGrantPermission(
                  AuthRoleGrantPermissionRequest.newBuilder()
                      .setName(word(0))
                      .setPerm(
                          Permission.newBuilder()
                              .setPermType(type(word(1)))
                              .setKey(span.key())
                              .setRangeEnd(span.end()))
                      .build());
      printer.changed(response, response.getHeader(), "Role " + word(0) + " updated");
    }
  }

  @Command(name = "revoke-permission", description = "Take that back: ROLE KEY [END].")
  static final class Revoke extends AuthCall {
    @Option(names = "--prefix", description = "All keys with the prefix KEY.")
    boolean prefix;

    @Option(names = "--from-key", description = "All keys from KEY on.")
    boolean fromKey;

    Revoke(Session session) {
      super(
          session,
          2,
          3,
          "role revoke-permission command requires role name and key [endkey] as its argument");
    }

    @Override
    void check() {
      var span = span();
    }

    private KeySpan span() {
      return KeySpan.of(word(1), word(2), prefix, fromKey);
    }

    @Override
    void run(Stubs stubs, Printer printer) {
      KeySpan span = span();
      AuthRoleRevokePermissionResponse response =
          stubs
              .auth()
              .roleRevokePermission(
                  AuthRoleRevokePermissionRequest.newBuilder()
                      .setRole(word(0))
                      .setKey(span.key())
                      .setRangeEnd(span.end())
                      .build());
      String what = span.end().isEmpty() ? "key " : "range ";
      printer.changed(
          response,
          response.getHeader(),
          "Permission of "
              + what
              + KeySpan.words(span.key(), span.end())
              + " is revoked from role "
              + word(0));
    }
  }
}
