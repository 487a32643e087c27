package io.tidemark.ctl;

import io.tidemark.api.authpb.UserAddOptions;
import io.tidemark.api.etcdserverpb.AuthRoleGetRequest;
import io.tidemark.api.etcdserverpb.AuthUserAddRequest;
import io.tidemark.api.etcdserverpb.AuthUserAddResponse;
import io.tidemark.api.etcdserverpb.AuthUserChangePasswordRequest;
import io.tidemark.api.etcdserverpb.AuthUserChangePasswordResponse;
import io.tidemark.api.etcdserverpb.AuthUserDeleteRequest;
import io.tidemark.api.etcdserverpb.AuthUserDeleteResponse;
import io.tidemark.api.etcdserverpb.AuthUserGetRequest;
import io.tidemark.api.etcdserverpb.AuthUserGetResponse;
import io.tidemark.api.etcdserverpb.AuthUserGrantRoleRequest;
import io.tidemark.api.etcdserverpb.AuthUserGrantRoleResponse;
import io.tidemark.api.etcdserverpb.AuthUserListRequest;
import io.tidemark.api.etcdserverpb.AuthUserListResponse;
import io.tidemark.api.etcdserverpb.AuthUserRevokeRoleRequest;
import io.tidemark.api.etcdserverpb.AuthUserRevokeRoleResponse;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code user add|delete|get|list|passwd|grant-role|revoke-role}. */
@Command(name = "user", description = "Users.")
final class UserCommand {
  private UserCommand() {}

  static CommandLine group(Session session) {
    return new CommandLine(new UserCommand())
        .addSubcommand(new Add(session))
        .addSubcommand(new Delete(session))
        .addSubcommand(new Get(session))
        .addSubcommand(new ListAll(session))
        .addSubcommand(new ChangePassword(session))
        .addSubcommand(new GrantRole(session))
        .addSubcommand(new RevokeRole(session));
  }

  @Command(name = "add", description = "Add a user: NAME or NAME:PASSWORD.")
  static final class Add extends AuthCall {
    @Option(names = "--interactive", arity = "1", description = "false: read from stdin.")
    boolean interactive = true;

    @Option(names = "--new-user-password", description = "The password.")
    String password = "";

    @Option(names = "--no-password", description = "Known by his certificate only.")
    boolean noPassword;

    Add(Session session) {
      super(session, 1, 1, "user add command requires user name as its argument");
    }

    @Override
    void run(Stubs stubs, Printer printer) {
      String name = word(0);
      String secret = password;
      int colon = name.indexOf(':');
      if (!noPassword && secret.isEmpty()) {
        if (colon >= 0) {
          secret = name.substring(colon + 1);
          name = name.substring(0, colon);
        } else {
          secret = NewPassword.read(session, name, interactive);
        }
        if (name.isEmpty()) {
          throw CommandFailure.badArguments("empty user name is not allowed");
        }
      }
      AuthUserAddResponse response =
          stubs
              .auth()
              .userAdd(
                  AuthUserAddRequest.newBuilder()
                      .setName(name)
                      .setPassword(secret)
                      .setOptions(UserAddOptions.newBuilder().setNoPassword(noPassword))
                      .build());
      printer.changed(response, response.getHeader(), "User " + name + " created");
    }
  }

  @Command(name = "delete", description = "Delete a user.")
  static final class Delete extends AuthCall {
    Delete(Session session) {
      super(session, 1, 1, "user delete command requires user name as its argument");
    }

    @Override
    void run(Stubs stubs, Printer printer) {
      AuthUserDeleteResponse response =
          stubs.auth().userDelete(AuthUserDeleteRequest.newBuilder().setName(word(0)).build());
      printer.changed(response, response.getHeader(), "User " + word(0) + " deleted");
    }
  }

  @Command(name = "get", description = "Show the roles of a user.")
  static final class Get extends AuthCall {
    @Option(names = "--detail", description = "Show what they allow.")
    boolean detail;

    Get(Session session) {
      super(session, 1, 1, "user get command requires user name as its argument");
    }

    @Override
    void run(Stubs stubs, Printer printer) {
      AuthUserGetResponse response =
          stubs.auth().userGet(AuthUserGetRequest.newBuilder().setName(word(0)).build());
      if (!detail) {
        printer.user(response, word(0));
        return;
      }
      session.out().print("User: " + word(0) + "\n");
      for (String role : response.getRolesList()) {
        session.out().print("\n");
        printer.role(
            stubs.auth().roleGet(AuthRoleGetRequest.newBuilder().setRole(role).build()), role);
      }
    }
  }

  @Command(name = "list", description = "List the users.")
  static final class ListAll extends AuthCall {
    ListAll(Session session) {
      super(session, 0, 0, "user list command requires no arguments");
    }

    @Override
    void run(Stubs stubs, Printer printer) {
      AuthUserListResponse response =
          stubs.auth().userList(AuthUserListRequest.getDefaultInstance());
      printer.names(response, response.getHeader(), "Users", response.getUsersList());
    }
  }

  @Command(name = "passwd", description = "Change the password of a user.")
  static final class ChangePassword extends AuthCall {
    @Option(names = "--interactive", arity = "1", description = "false: read from stdin.")
    boolean interactive = true;

    ChangePassword(Session session) {
      super(session, 1, 1, "user passwd command requires user name as its argument");
    }

    @Override
    void run(Stubs stubs, Printer printer) {
      AuthUserChangePasswordResponse response =
          stubs
              .auth()
              .userChangePassword(
                  AuthUserChangePasswordRequest.newBuilder()
                      .setName(word(0))
                      .setPassword(NewPassword.read(session, word(0), interactive))
                      .build());
      printer.changed(response, response.getHeader(), "Password updated");
    }
  }

  @Command(name = "grant-role", description = "Grant a role: USER ROLE.")
  static final class GrantRole extends AuthCall {
    GrantRole(Session session) {
      super(session, 2, 2, "user grant command requires user name and role name as its argument");
    }

    @Override
    void run(Stubs stubs, Printer printer) {
      AuthUserGrantRoleResponse response =
          stubs
              .auth()
              .userGrantRole(
                  AuthUserGrantRoleRequest.newBuilder().setUser(word(0)).setRole(word(1)).build());
      printer.changed(
          response, response.getHeader(), "Role " + word(1) + " is granted to user " + word(0));
    }
  }

  @Command(name = "revoke-role", description = "Revoke a role: USER ROLE.")
  static final class RevokeRole extends AuthCall {
    RevokeRole(Session session) {
      super(session, 2, 2, "user revoke-role requires user name and role name as its argument");
    }

    @Override
    void run(Stubs stubs, Printer printer) {
      AuthUserRevokeRoleResponse response =
          stubs
              .auth()
              .userRevokeRole(
                  AuthUserRevokeRoleRequest.newBuilder().setName(word(0)).setRole(word(1)).build());
      printer.changed(
          response, response.getHeader(), "Role " + word(1) + " is revoked from user " + word(0));
    }
  }
}
