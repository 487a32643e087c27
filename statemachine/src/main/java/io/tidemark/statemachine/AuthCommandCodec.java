package io.tidemark.statemachine;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnsafeByteOperations;
import io.tidemark.api.etcdserverpb.AuthDisableRequest;
import io.tidemark.api.etcdserverpb.AuthEnableRequest;
import io.tidemark.api.etcdserverpb.AuthRoleAddRequest;
import io.tidemark.api.etcdserverpb.AuthRoleDeleteRequest;
import io.tidemark.api.etcdserverpb.AuthRoleGrantPermissionRequest;
import io.tidemark.api.etcdserverpb.AuthRoleRevokePermissionRequest;
import io.tidemark.api.etcdserverpb.AuthUserAddRequest;
import io.tidemark.api.etcdserverpb.AuthUserChangePasswordRequest;
import io.tidemark.api.etcdserverpb.AuthUserDeleteRequest;
import io.tidemark.api.etcdserverpb.AuthUserGrantRoleRequest;
import io.tidemark.api.etcdserverpb.AuthUserRevokeRoleRequest;
import io.tidemark.statemachine.auth.AuthChange;
import io.tidemark.statemachine.auth.Caller;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The kinds of {@link CommandCodec} that have to do with users and roles: 32 to 44. */
final class AuthCommandCodec implements AuthChange.Cases<ByteString> {
  static final byte ON_BEHALF = 32;
  static final byte ENABLE = 33;
  static final byte DISABLE = 34;
  static final byte USER_ADD = 35;
  static final byte USER_DELETE = 36;
  static final byte USER_CHANGE_PASSWORD = 37;
  static final byte USER_GRANT_ROLE = 38;
  static final byte USER_REVOKE_ROLE = 39;
  static final byte ROLE_ADD = 40;
  static final byte ROLE_DELETE = 41;
  static final byte ROLE_GRANT_PERMISSION = 42;
  static final byte ROLE_REVOKE_PERMISSION = 43;
  static final byte ISSUE_TOKEN = 44;

  private AuthCommandCodec() {}

  static ByteString encode(AuthChange change) {
    return change.on(new AuthCommandCodec());
  }

  /** Revision (8), length of the user's name (4), name, then the command: kind (1), message. */
  static ByteString encode(Caller caller, ByteString command) {
    byte[] user = caller.user().getBytes(StandardCharsets.UTF_8);
    byte kind = command.byteAt(0);
    ByteString message = command.substring(CommandCodec.HEADER_BYTES);
    int length = Long.BYTES + Integer.BYTES + user.length + 1 + message.size();
    byte[] bytes = new byte[CommandCodec.HEADER_BYTES + length];
    ByteBuffer out = ByteBuffer.wrap(bytes);
    out.put(ON_BEHALF).putInt(length);
    out.putLong(caller.authRevision()).putInt(user.length).put(user).put(kind);
    message.copyTo(out);
    return UnsafeByteOperations.unsafeWrap(bytes);
  }

  static Command decode(byte kind, ByteString message) throws InvalidProtocolBufferException {
    return switch (kind) {
      case ON_BEHALF -> onBehalf(message);
      case ENABLE -> {
        CommandCodec.parse(AuthEnableRequest.parser(), message);
        yield new Command.Auth(new AuthChange.Enable());
      }
      case DISABLE -> {
        CommandCodec.parse(AuthDisableRequest.parser(), message);
        yield new Command.Auth(new AuthChange.Disable());
      }
      case USER_ADD -> auth(new AuthChange.UserAdd(AuthUserAddRequest.parseFrom(message)));
      case USER_DELETE -> auth(new AuthChange.UserDelete(AuthUserDeleteRequest.parseFrom(message)));
      case USER_CHANGE_PASSWORD ->
          auth(new AuthChange.UserChangePassword(AuthUserChangePasswordRequest.parseFrom(message)));
      case USER_GRANT_ROLE ->
          auth(new AuthChange.UserGrantRole(AuthUserGrantRoleRequest.parseFrom(message)));
      case USER_REVOKE_ROLE ->
          auth(new AuthChange.UserRevokeRole(AuthUserRevokeRoleRequest.parseFrom(message)));
      case ROLE_ADD -> auth(new AuthChange.RoleAdd(AuthRoleAddRequest.parseFrom(message)));
      case ROLE_DELETE -> auth(new AuthChange.RoleDelete(AuthRoleDeleteRequest.parseFrom(message)));
      case ROLE_GRANT_PERMISSION ->
          auth(
              new AuthChange.RoleGrantPermission(
                  AuthRoleGrantPermissionRequest.parseFrom(message)));
      case ROLE_REVOKE_PERMISSION ->
          auth(
              new AuthChange.RoleRevokePermission(
                  AuthRoleRevokePermissionRequest.parseFrom(message)));
      case ISSUE_TOKEN -> auth(issueToken(message));
      default -> throw new EntryFormatException("unknown command kind " + (kind & 0xff));
    };
  }

  private static Command auth(AuthChange change) {
    return new Command.Auth(change);
  }

  private static Command onBehalf(ByteString message) {
    ByteBuffer in = message.asReadOnlyByteBuffer().slice();
    long revision = number(in);
    String user = text(in, message);
    if (!in.hasRemaining()) {
      throw new EntryFormatException("nothing on behalf of somebody");
    }
    byte kind = in.get();
    if (kind == ON_BEHALF) {
      throw new EntryFormatException("on behalf of two");
    }
    return new Command.OnBehalf(
        new Caller(user, revision), CommandCodec.decode(kind, message.substring(in.position())));
  }

  private static AuthChange issueToken(ByteString message) {
    ByteBuffer in = message.asReadOnlyByteBuffer().slice();
    long revision = number(in);
    String user = text(in, message);
    String letters = text(in, message);
    if (in.hasRemaining()) {
      throw new EntryFormatException(in.remaining() + " bytes after a token");
    }
    return new AuthChange.IssueToken(user, letters, revision);
  }

  private static long number(ByteBuffer in) {
    if (in.remaining() < Long.BYTES) {
      throw new EntryFormatException("a command ends before its revision");
    }
    return in.getLong();
  }

  private static String text(ByteBuffer in, ByteString message) {
    int length = in.remaining() < Integer.BYTES ? -1 : in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new EntryFormatException("a command announces a text of " + length + " bytes");
    }
    ByteString text = message.substring(in.position(), in.position() + length);
    in.position(in.position() + length);
    return text.toStringUtf8();
  }

  @Override
  public ByteString enable(AuthChange.Enable change) {
    return CommandCodec.encode(ENABLE, AuthEnableRequest.getDefaultInstance());
  }

  @Override
  public ByteString disable(AuthChange.Disable change) {
    return CommandCodec.encode(DISABLE, AuthDisableRequest.getDefaultInstance());
  }

  @Override
  public ByteString userAdd(AuthChange.UserAdd change) {
    return CommandCodec.encode(USER_ADD, change.request());
  }

  @Override
  public ByteString userDelete(AuthChange.UserDelete change) {
    return CommandCodec.encode(USER_DELETE, change.request());
  }

  @Override
  public ByteString userChangePassword(AuthChange.UserChangePassword change) {
    return CommandCodec.encode(USER_CHANGE_PASSWORD, change.request());
  }

  @Override
  public ByteString userGrantRole(AuthChange.UserGrantRole change) {
    return CommandCodec.encode(USER_GRANT_ROLE, change.request());
  }

  @Override
  public ByteString userRevokeRole(AuthChange.UserRevokeRole change) {
    return CommandCodec.encode(USER_REVOKE_ROLE, change.request());
  }

  @Override
  public ByteString roleAdd(AuthChange.RoleAdd change) {
    return CommandCodec.encode(ROLE_ADD, change.request());
  }

  @Override
  public ByteString roleDelete(AuthChange.RoleDelete change) {
    return CommandCodec.encode(ROLE_DELETE, change.request());
  }

  @Override
  public ByteString roleGrantPermission(AuthChange.RoleGrantPermission change) {
    return CommandCodec.encode(ROLE_GRANT_PERMISSION, change.request());
  }

  @Override
  public ByteString roleRevokePermission(AuthChange.RoleRevokePermission change) {
    return CommandCodec.encode(ROLE_REVOKE_PERMISSION, change.request());
  }

  @Override
  public ByteString issueToken(AuthChange.IssueToken change) {
    byte[] user = change.user().getBytes(StandardCharsets.UTF_8);
    byte[] letters = change.letters().getBytes(StandardCharsets.UTF_8);
    int length = Long.BYTES + 2 * Integer.BYTES + user.length + letters.length;
    byte[] bytes = new byte[CommandCodec.HEADER_BYTES + length];
    ByteBuffer out = ByteBuffer.wrap(bytes);
    out.put(ISSUE_TOKEN).putInt(length).putLong(change.authRevision());
    out.putInt(user.length).put(user).putInt(letters.length).put(letters);
    return UnsafeByteOperations.unsafeWrap(bytes);
  }
}
