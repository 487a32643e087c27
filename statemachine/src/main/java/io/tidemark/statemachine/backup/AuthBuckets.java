package io.tidemark.statemachine.backup;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnsafeByteOperations;
import io.tidemark.api.authpb.Permission;
import io.tidemark.api.authpb.Role;
import io.tidemark.api.authpb.User;
import io.tidemark.mvcc.ReadView;
import io.tidemark.mvcc.StoreLoad;
import io.tidemark.mvcc.Table;
import io.tidemark.statemachine.auth.AuthRows;
import io.tidemark.statemachine.auth.AuthState;
import io.tidemark.statemachine.backup.bbolt.DamagedFileException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The three buckets of users, roles and whether they count. Values are etcd's own messages. */
final class AuthBuckets {
  private AuthBuckets() {}

  /** Bucket {@code auth}: {@code authEnabled} (1), {@code authRevision} (8). */
  static final class Status implements BucketRows {
    private static final ByteString ENABLED = ByteString.copyFromUtf8("authEnabled");
    private static final ByteString REVISION = ByteString.copyFromUtf8("authRevision");
    private boolean enabled;
    private long revision = 1;

    @Override
    public String name() {
      return "auth";
    }

    @Override
    public void write(ReadView view, Out out) throws IOException {
      AuthState state = AuthRows.load(view);
      out.put(ENABLED, ByteString.copyFrom(new byte[] {(byte) (state.enabled() ? 1 : 0)}));
      byte[] number = new byte[Long.BYTES];
      ByteBuffer.wrap(number).putLong(state.revision());
      out.put(REVISION, UnsafeByteOperations.unsafeWrap(number));
    }

    @Override
    public void read(ByteString key, ByteString value, StoreLoad into) throws DamagedFileException {
      if (key.equals(ENABLED) && value.size() == 1) {
        enabled = value.byteAt(0) == 1;
      } else if (key.equals(REVISION) && value.size() == Long.BYTES) {
        revision = Math.max(1, value.asReadOnlyByteBuffer().getLong());
      } else {
        throw new DamagedFileException("an entry of bucket auth can't be read");
      }
      into.table(Table.AUTH, AuthRows.STATUS_KEY, AuthRows.statusRow(enabled, revision));
    }
  }

  /** Bucket {@code authUsers}: name to {@link User}. */
  static final class Users implements BucketRows {
    @Override
    public String name() {
      return "authUsers";
    }

    @Override
    public void write(ReadView view, Out out) throws IOException {
      AuthState state = AuthRows.load(view);
      for (String name : state.userNames()) {
        User user = Objects.requireNonNull(state.user(name));
        out.put(user.getName(), user.toByteString());
      }
    }

    @Override
    public void read(ByteString key, ByteString value, StoreLoad into) throws DamagedFileException {
      try {
        into.table(Table.AUTH, AuthRows.userKey(key), User.parseFrom(value).toByteString());
      } catch (InvalidProtocolBufferException e) {
        throw new DamagedFileException("a user can't be read");
      }
    }
  }

  /** Bucket {@code authRoles}: name to {@link Role}. */
  static final class Roles implements BucketRows {
    @Override
    public String name() {
      return "authRoles";
    }

    @Override
    public void write(ReadView view, Out out) throws IOException {
      AuthState state = AuthRows.load(view);
      for (String name : state.roleNames()) {
        Role role = Objects.requireNonNull(state.role(name));
        out.put(role.getName(), role.toByteString());
      }
    }

    @Override
    public void read(ByteString key, ByteString value, StoreLoad into) throws DamagedFileException {
      try {
        Role role = Role.parseFrom(value);
        List<Permission> sorted = new ArrayList<>(role.getKeyPermissionList());
        sorted.sort(AuthRows.PERMISSION_ORDER);
        Role row = role.toBuilder().clearKeyPermission().addAllKeyPermission(sorted).build();
        into.table(Table.AUTH, AuthRows.roleKey(key), row.toByteString());
      } catch (InvalidProtocolBufferException e) {
        throw new DamagedFileException("a role can't be read");
      }
    }
  }
}
