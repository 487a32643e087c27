package io.tidemark.statemachine.auth;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnsafeByteOperations;
import io.tidemark.api.authpb.Permission;
import io.tidemark.api.authpb.Role;
import io.tidemark.api.authpb.User;
import io.tidemark.mvcc.EntryBatch;
import io.tidemark.mvcc.ReadView;
import io.tidemark.mvcc.Table;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/** Users and roles as rows of the AUTH table; docs/format.md describes them. */
public final class AuthRows {
  /** How a role's permissions are sorted. */
  public static final Comparator<Permission> PERMISSION_ORDER =
      Comparator.comparing(Permission::getKey, ByteString.unsignedLexicographicalComparator())
          .thenComparing(Permission::getRangeEnd, ByteString.unsignedLexicographicalComparator());

  private static final byte STATUS = 0;
  private static final byte USER = 1;
  private static final byte ROLE = 2;

  /** Where the row of {@link #statusRow} lies. */
  public static final ByteString STATUS_KEY = ByteString.copyFrom(new byte[] {STATUS});

  private static final int STATUS_BYTES = 1 + Long.BYTES;

  private AuthRows() {}

  /** All rows of a view. Blocks on the disk. */
  public static AuthState load(ReadView view) {
    Loader loader = new Loader();
    view.tableScan(Table.AUTH, loader::row);
    return loader.state().at(view.applied().index());
  }

  static void putStatus(EntryBatch batch, AuthState state) {
    batch.tablePut(Table.AUTH, STATUS_KEY, statusRow(state.enabled(), state.revision()));
  }

  /** Whether rights count, and how often they were changed. */
  public static ByteString statusRow(boolean enabled, long revision) {
    byte[] row = new byte[STATUS_BYTES];
    ByteBuffer.wrap(row).put((byte) (enabled ? 1 : 0)).putLong(revision);
    return UnsafeByteOperations.unsafeWrap(row);
  }

  /** Where a user's row lies; the row is the serialized user. */
  public static ByteString userKey(ByteString name) {
    return key(USER, name);
  }

  /** Where a role's row lies; the row is the serialized role, its permissions sorted. */
  public static ByteString roleKey(ByteString name) {
    return key(ROLE, name);
  }

  static void putUser(EntryBatch batch, User user) {
    batch.tablePut(Table.AUTH, key(USER, user.getName()), user.toByteString());
  }

  static void deleteUser(EntryBatch batch, String name) {
    batch.tableDelete(Table.AUTH, key(USER, ByteString.copyFromUtf8(name)));
  }

  static void putRole(EntryBatch batch, Role role) {
    batch.tablePut(Table.AUTH, key(ROLE, role.getName()), role.toByteString());
  }

  static void deleteRole(EntryBatch batch, String name) {
    batch.tableDelete(Table.AUTH, key(ROLE, ByteString.copyFromUtf8(name)));
  }

  private static ByteString key(byte kind, ByteString name) {
    return ByteString.copyFrom(new byte[] {kind}).concat(name);
  }

  private static final class Loader {
    private final Map<String, User> users = new HashMap<>();
    private final Map<String, Role> roles = new HashMap<>();
    private boolean enabled = AuthState.INITIAL.enabled();
    private long revision = AuthState.INITIAL.revision();

    void row(ByteString key, ByteString value) {
      try {
        switch (key.isEmpty() ? -1 : key.byteAt(0)) {
          case STATUS -> {
            ByteBuffer row = value.asReadOnlyByteBuffer();
            enabled = row.get() == 1;
            revision = row.getLong();
          }
          case USER -> users.put(key.substring(1).toStringUtf8(), User.parseFrom(value));
          case ROLE -> roles.put(key.substring(1).toStringUtf8(), Role.parseFrom(value));
          default -> throw new IllegalStateException("unknown row in the AUTH table");
        }
      } catch (InvalidProtocolBufferException e) {
        throw new IllegalStateException("unreadable row in the AUTH table", e);
      }
    }

    AuthState state() {
      return AuthState.of(enabled, revision, users, roles);
    }
  }
}
