package io.tidemark.statemachine.auth;

import com.google.protobuf.ByteString;
import io.tidemark.api.authpb.Permission;
import io.tidemark.api.authpb.Role;
import io.tidemark.api.authpb.User;
import io.tidemark.api.authpb.UserAddOptions;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.AuthRoleGrantPermissionRequest;
import io.tidemark.api.etcdserverpb.AuthRoleRevokePermissionRequest;
import io.tidemark.api.etcdserverpb.AuthUserAddRequest;
import io.tidemark.api.etcdserverpb.AuthUserChangePasswordRequest;
import io.tidemark.mvcc.EntryBatch;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries out changes of users and roles within one entry: rows, the next state, and what becomes
 * of tokens. Each method gives the reason for a refusal, in etcd's order, or nothing; who may ask
 * for a change is not its business.
 *
 * <p>Thread: apply.
 */
public final class AuthSteps implements AuthChange.Cases<Optional<EtcdError>> {

  private final EntryBatch batch;
  private final long index;
  private final AuthState before;
  private final List<Consumer<TokenListener>> tokens = new ArrayList<>();
  private AuthState state;
  private String token = "";

  /**
   * @param index of the entry, for the tokens
   * @param state before the entry
   */
  public AuthSteps(EntryBatch batch, long index, AuthState state) {
    this.batch = batch;
    this.index = index;
    this.before = state;
    this.state = state;
  }

  /** The state after the changes so far. */
  public AuthState state() {
    return state;
  }

  /** The token of the last {@link AuthChange.IssueToken}. */
  public String token() {
    return token;
  }

  /** Makes known what the entry changed. To be called just before its commit. */
  public void publish(Authority authority) {
    if (state != before || !tokens.isEmpty()) {
      authority.publish(state == before ? state : state.at(index), tokens);
    }
  }

  @Override
  public Optional<EtcdError> enable(AuthChange.Enable change) {
    if (state.enabled()) {
      return Optional.empty();
    }
    if (state.user(AuthState.ROOT) == null) {
      return Optional.of(EtcdError.ROOT_USER_NOT_EXIST);
    }
    if (!state.holds(AuthState.ROOT, AuthState.ROOT)) {
      return Optional.of(EtcdError.ROOT_ROLE_NOT_EXIST);
    }
    state = state.status(true, state.revision());
    AuthRows.putStatus(batch, state);
    return Optional.empty();
  }

  @Override
  public Optional<EtcdError> disable(AuthChange.Disable change) {
    if (!state.enabled()) {
      return Optional.empty();
    }
    state = state.status(false, state.revision());
    tokens.add(TokenListener::droppedAll);
    return changed();
  }

  @Override
  public Optional<EtcdError> userAdd(AuthChange.UserAdd change) {
    AuthUserAddRequest request = change.request();
    if (request.getName().isEmpty()) {
      return Optional.of(EtcdError.USER_EMPTY);
    }
    if (state.user(request.getName()) != null) {
      return Optional.of(EtcdError.USER_ALREADY_EXIST);
    }
    boolean noPassword = request.getOptions().getNoPassword();
    ByteString hash = noPassword ? ByteString.EMPTY : hash(request.getHashedPassword());
    if (hash == null) {
      return Optional.of(EtcdError.AUTH_FAILED);
    }
    put(
        User.newBuilder()
            .setName(ByteString.copyFromUtf8(request.getName()))
            .setPassword(hash)
            .setOptions(UserAddOptions.newBuilder().setNoPassword(noPassword))
            .build());
    return changed();
  }

  @Override
  public Optional<EtcdError> userDelete(AuthChange.UserDelete change) {
    String name = change.request().getName();
    if (state.enabled() && name.equals(AuthState.ROOT)) {
      return Optional.of(EtcdError.INVALID_AUTH_MGMT);
    }
    if (state.user(name) == null) {
      return Optional.of(EtcdError.USER_NOT_FOUND);
    }
    state = state.withoutUser(name);
    AuthRows.deleteUser(batch, name);
    tokens.add(listener -> listener.dropped(name));
    return changed();
  }

  @Override
  public Optional<EtcdError> userChangePassword(AuthChange.UserChangePassword change) {
    AuthUserChangePasswordRequest request = change.request();
    User user = state.user(request.getName());
    if (user == null) {
      return Optional.of(EtcdError.USER_NOT_FOUND);
    }
    ByteString hash =
        user.getOptions().getNoPassword() ? ByteString.EMPTY : hash(request.getHashedPassword());
    if (hash == null) {
      return Optional.of(EtcdError.AUTH_FAILED);
    }
    put(user.toBuilder().setPassword(hash).build());
    tokens.add(listener -> listener.dropped(request.getName()));
    return changed();
  }

  @Override
  public Optional<EtcdError> userGrantRole(AuthChange.UserGrantRole change) {
    String role = change.request().getRole();
    User user = state.user(change.request().getUser());
    if (user == null) {
      return Optional.of(EtcdError.USER_NOT_FOUND);
    }
    // The root role is an idea more than a role: it need not have been added.
    if (!role.equals(AuthState.ROOT) && state.role(role) == null) {
      return Optional.of(EtcdError.ROLE_NOT_FOUND);
    }
    if (user.getRolesList().contains(role)) {
      return Optional.empty();
    }
    List<String> roles = new ArrayList<>(user.getRolesList());
    roles.add(role);
    roles.sort(AuthState.NAME_ORDER);
    put(user.toBuilder().clearRoles().addAllRoles(roles).build());
    return changed();
  }

  @Override
  public Optional<EtcdError> userRevokeRole(AuthChange.UserRevokeRole change) {
    String name = change.request().getName();
    String role = change.request().getRole();
    if (state.enabled() && name.equals(AuthState.ROOT) && role.equals(AuthState.ROOT)) {
      return Optional.of(EtcdError.INVALID_AUTH_MGMT);
    }
    User user = state.user(name);
    if (user == null) {
      return Optional.of(EtcdError.USER_NOT_FOUND);
    }
    if (!user.getRolesList().contains(role)) {
      return Optional.of(EtcdError.ROLE_NOT_GRANTED);
    }
    put(without(user, role));
    return changed();
  }

  @Override
  public Optional<EtcdError> roleAdd(AuthChange.RoleAdd change) {
    String name = change.request().getName();
    if (name.isEmpty()) {
      return Optional.of(EtcdError.ROLE_EMPTY);
    }
    if (state.role(name) != null) {
      return Optional.of(EtcdError.ROLE_ALREADY_EXIST);
    }
    put(Role.newBuilder().setName(ByteString.copyFromUtf8(name)).build());
    return changed();
  }

  @Override
  public Optional<EtcdError> roleDelete(AuthChange.RoleDelete change) {
    String name = change.request().getRole();
    if (state.enabled() && name.equals(AuthState.ROOT)) {
      return Optional.of(EtcdError.INVALID_AUTH_MGMT);
    }
    if (state.role(name) == null) {
      return Optional.of(EtcdError.ROLE_NOT_FOUND);
    }
    for (User holder : state.usersWith(name)) {
      put(without(holder, name));
    }
    state = state.withoutRole(name);
    AuthRows.deleteRole(batch, name);
    return changed();
  }

  @Override
  public Optional<EtcdError> roleGrantPermission(AuthChange.RoleGrantPermission change) {
    AuthRoleGrantPermissionRequest request = change.request();
    if (!request.hasPerm()) {
      return Optional.of(EtcdError.PERMISSION_NOT_GIVEN);
    }
    Permission wanted = request.getPerm();
    boolean holdsKeys =
        !wanted.getKey().isEmpty()
            && !Coverage.Span.of(wanted.getKey(), wanted.getRangeEnd()).isEmpty();
    if (!holdsKeys) {
      return Optional.of(EtcdError.INVALID_AUTH_MGMT);
    }
    Role role = state.role(request.getName());
    if (role == null) {
      return Optional.of(EtcdError.ROLE_NOT_FOUND);
    }
    List<Permission> permissions = new ArrayList<>(role.getKeyPermissionList());
    permissions.removeIf(held -> AuthRows.PERMISSION_ORDER.compare(held, wanted) == 0);
    permissions.add(wanted);
    permissions.sort(AuthRows.PERMISSION_ORDER);
    put(role.toBuilder().clearKeyPermission().addAllKeyPermission(permissions).build());
    return changed();
  }

  @Override
  public Optional<EtcdError> roleRevokePermission(AuthChange.RoleRevokePermission change) {
    AuthRoleRevokePermissionRequest request = change.request();
    Role role = state.role(request.getRole());
    if (role == null) {
      return Optional.of(EtcdError.ROLE_NOT_FOUND);
    }
    List<Permission> permissions = new ArrayList<>(role.getKeyPermissionList());
    boolean held =
        permissions.removeIf(
            permission ->
                permission.getKey().equals(request.getKey())
                    && permission.getRangeEnd().equals(request.getRangeEnd()));
    if (!held) {
      return Optional.of(EtcdError.PERMISSION_NOT_GRANTED);
    }
    put(role.toBuilder().clearKeyPermission().addAllKeyPermission(permissions).build());
    return changed();
  }

  @Override
  public Optional<EtcdError> issueToken(AuthChange.IssueToken change) {
    if (!state.enabled()) {
      return Optional.of(EtcdError.AUTH_NOT_ENABLED);
    }
    if (change.authRevision() != state.revision()) {
      return Optional.of(EtcdError.AUTH_OLD_REVISION);
    }
    User user = state.user(change.user());
    if (user == null || user.getOptions().getNoPassword()) {
      return Optional.of(EtcdError.AUTH_FAILED);
    }
    String issued = change.letters() + "." + index;
    token = issued;
    tokens.add(listener -> listener.issued(issued, change.user()));
    return Optional.empty();
  }

  private void put(User user) {
    state = state.withUser(user);
    AuthRows.putUser(batch, user);
  }

  private void put(Role role) {
    state = state.withRole(role);
    AuthRows.putRole(batch, role);
  }

  private Optional<EtcdError> changed() {
    state = state.status(state.enabled(), state.revision() + 1);
    AuthRows.putStatus(batch, state);
    return Optional.empty();
  }

  private static User without(User user, String role) {
    List<String> roles = new ArrayList<>(user.getRolesList());
    roles.remove(role);
    return user.toBuilder().clearRoles().addAllRoles(roles).build();
  }

  private static @Nullable ByteString hash(String base64) {
    try {
      return ByteString.copyFrom(Base64.getDecoder().decode(base64));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
