package io.tidemark.ctl;

import io.grpc.StatusRuntimeException;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.AuthDisableRequest;
import io.tidemark.api.etcdserverpb.AuthEnableRequest;
import io.tidemark.api.etcdserverpb.AuthRoleAddRequest;
import io.tidemark.api.etcdserverpb.AuthStatusRequest;
import io.tidemark.api.etcdserverpb.AuthUserGrantRoleRequest;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code auth enable|disable|status}. */
@Command(name = "auth", description = "Turn authentication on or off.")
final class AuthCommand {
  private static final String ROOT = "root";

  private AuthCommand() {}

  static CommandLine group(Session session) {
    return new CommandLine(new AuthCommand())
        .addSubcommand(new Enable(session))
        .addSubcommand(new Disable(session))
        .addSubcommand(new Status(session));
  }

  @Command(name = "enable", description = "From now on everybody needs rights.")
  static final class Enable extends AuthCall {
    Enable(Session session) {
      super(session, 0, 0, "auth enable command does not accept any arguments");
    }

    /** As etcdctl: a root user without the root role gets it. */
    @Override
    void run(Stubs stubs, Printer printer) {
      try {
        enable(stubs);
      } catch (StatusRuntimeException refused) {
        if (!is(EtcdError.ROOT_ROLE_NOT_EXIST, refused)) {
          throw refused;
        }
        addRootRole(stubs);
        var granted =
            stubs
                .auth()
                .userGrantRole(
                    AuthUserGrantRoleRequest.newBuilder().setUser(ROOT).setRole(ROOT).build());
        enable(stubs);
      }
      session.out().print("Authentication Enabled\n");
    }

    private static void enable(Stubs stubs) {
      var enabled = stubs.auth().authEnable(AuthEnableRequest.getDefaultInstance());
    }

    private static void addRootRole(Stubs stubs) {
      try {
        var added = stubs.auth().roleAdd(AuthRoleAddRequest.newBuilder().setName(ROOT).build());
      } catch (StatusRuntimeException refused) {
        if (!is(EtcdError.ROLE_ALREADY_EXIST, refused)) {
          throw refused;
        }
      }
    }

    private static boolean is(EtcdError error, StatusRuntimeException refused) {
      return error.message().equals(refused.getStatus().getDescription());
    }
  }

  @Command(name = "disable", description = "From now on everybody may do everything.")
  static final class Disable extends AuthCall {
    Disable(Session session) {
      super(session, 0, 0, "auth disable command does not accept any arguments");
    }

    @Override
    void run(Stubs stubs, Printer printer) {
      var disabled = stubs.auth().authDisable(AuthDisableRequest.getDefaultInstance());
      session.out().print("Authentication Disabled\n");
    }
  }

  @Command(name = "status", description = "Whether authentication is on.")
  static final class Status extends AuthCall {
    Status(Session session) {
      super(session, 0, 0, "auth status command does not accept any arguments");
    }

    @Override
    void run(Stubs stubs, Printer printer) {
      printer.authStatus(stubs.auth().authStatus(AuthStatusRequest.getDefaultInstance()));
    }
  }
}
