package io.tidemark.statemachine.auth;

import com.google.protobuf.ByteString;
import io.tidemark.api.authpb.Role;
import io.tidemark.api.authpb.User;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All users and roles, and whether they count, at one point of the log.
 *
 * <p>Immutable; any thread. What a user's roles allow together is worked out when first asked for.
 */
public final class AuthState {
  /** The user, and the role, that may do everything. */
  public static final String ROOT = "root";

  /** Names sort by their bytes, as in etcd. */
  static final Comparator<String> NAME_ORDER =
      Comparator.comparing(
          ByteString::copyFromUtf8, ByteString.unsignedLexicographicalComparator());

  /** No user, no role, not enabled, revision 1. */
  static final AuthState INITIAL = new AuthState(-1, false, 1, Map.of(), Map.of());

  private final long index;
  private final boolean enabled;
  private final long revision;
  private final Map<String, User> users;
  private final Map<String, Role> roles;
  private final ConcurrentHashMap<String, Rights> rights = new ConcurrentHashMap<>();

  private AuthState(
      long index,
      boolean enabled,
      long revision,
      Map<String, User> users,
      Map<String, Role> roles) {
    this.index = index;
    this.enabled = enabled;
    this.revision = revision;
    this.users = users;
    this.roles = roles;
  }

  /** Takes the maps over. */
  static AuthState of(
      boolean enabled, long revision, Map<String, User> users, Map<String, Role> roles) {
    return new AuthState(INITIAL.index, enabled, revision, users, roles);
  }

  /** The same, of another entry. */
  AuthState at(long newIndex) {
    return new AuthState(newIndex, enabled, revision, users, roles);
  }

  /** The entry that made it so: a view that is older knows nothing of it. */
  public long index() {
    return index;
  }

  /** Whether callers need rights at all. */
  public boolean enabled() {
    return enabled;
  }

  /** Counts the changes of users, roles and permissions; 1 before the first. */
  public long revision() {
    return revision;
  }

  /** Null if there is none of that name. */
  public @Nullable User user(String name) {
    return users.get(name);
  }

  /** Null if there is none of that name. */
  public @Nullable Role role(String name) {
    return roles.get(name);
  }

  /** Sorted by name. */
  public List<String> userNames() {
    return users.keySet().stream().sorted(NAME_ORDER).toList();
  }

  /** Sorted by name. */
  public List<String> roleNames() {
    return roles.keySet().stream().sorted(NAME_ORDER).toList();
  }

  /** Whether there is such a user who holds such a role; the role itself need not exist. */
  public boolean holds(String user, String role) {
    User found = users.get(user);
    return found != null && found.getRolesList().contains(role);
  }

  /** What the roles of a user allow together; the root role allows no more here than it says. */
  Rights rights(User user) {
    return rights.computeIfAbsent(
        user.getName().toStringUtf8(),
        name ->
            Rights.of(
                user.getRolesList().stream().map(roles::get).filter(Objects::nonNull).toList()));
  }

  List<User> usersWith(String role) {
    List<User> holders = new ArrayList<>();
    for (String name : userNames()) {
      User user = Objects.requireNonNull(users.get(name));
      if (user.getRolesList().contains(role)) {
        holders.add(user);
      }
    }
    return holders;
  }

  AuthState status(boolean newEnabled, long newRevision) {
    return new AuthState(index, newEnabled, newRevision, users, roles);
  }

  AuthState withUser(User user) {
    return users(map -> map.put(user.getName().toStringUtf8(), user));
  }

  AuthState withoutUser(String name) {
    return users(map -> map.remove(name));
  }

  AuthState withRole(Role role) {
    return roles(map -> map.put(role.getName().toStringUtf8(), role));
  }

  AuthState withoutRole(String name) {
    return roles(map -> map.remove(name));
  }

  private AuthState users(Consumer<Map<String, User>> change) {
    Map<String, User> changed = new HashMap<>(users);
    change.accept(changed);
    return new AuthState(index, enabled, revision, changed, roles);
  }

  private AuthState roles(Consumer<Map<String, Role>> change) {
    Map<String, Role> changed = new HashMap<>(roles);
    change.accept(changed);
    return new AuthState(index, enabled, revision, users, changed);
  }
}
