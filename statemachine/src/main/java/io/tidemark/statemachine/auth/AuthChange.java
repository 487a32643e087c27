package io.tidemark.statemachine.auth;

import io.tidemark.api.etcdserverpb.AuthRoleAddRequest;
import io.tidemark.api.etcdserverpb.AuthRoleDeleteRequest;
import io.tidemark.api.etcdserverpb.AuthRoleGrantPermissionRequest;
import io.tidemark.api.etcdserverpb.AuthRoleRevokePermissionRequest;
import io.tidemark.api.etcdserverpb.AuthUserAddRequest;
import io.tidemark.api.etcdserverpb.AuthUserChangePasswordRequest;
import io.tidemark.api.etcdserverpb.AuthUserDeleteRequest;
import io.tidemark.api.etcdserverpb.AuthUserGrantRoleRequest;
import io.tidemark.api.etcdserverpb.AuthUserRevokeRoleRequest;

/**
 * A change of users and roles, as the log has it. Passwords come hashed: the edge has put the hash
 * into {@code hashedPassword} and cleared {@code password}.
 */
public sealed interface AuthChange {

  /** Calls the one method of {@code cases} that belongs to this change. */
  <R> R on(Cases<R> cases);

  /** One method for each kind of change. */
  interface Cases<R> {
    R enable(Enable change);

    R disable(Disable change);

    R userAdd(UserAdd change);

    R userDelete(UserDelete change);

    R userChangePassword(UserChangePassword change);

    R userGrantRole(UserGrantRole change);

    R userRevokeRole(UserRevokeRole change);

    R roleAdd(RoleAdd change);

    R roleDelete(RoleDelete change);

    R roleGrantPermission(RoleGrantPermission change);

    R roleRevokePermission(RoleRevokePermission change);

    R issueToken(IssueToken change);
  }

  /** From now on rights are asked for. */
  record Enable() implements AuthChange {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.enable(this);
    }
  }

  /** From now on everybody may do everything. */
  record Disable() implements AuthChange {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.disable(this);
    }
  }

  record UserAdd(AuthUserAddRequest request) implements AuthChange {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.userAdd(this);
    }
  }

  record UserDelete(AuthUserDeleteRequest request) implements AuthChange {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.userDelete(this);
    }
  }

  record UserChangePassword(AuthUserChangePasswordRequest request) implements AuthChange {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.userChangePassword(this);
    }
  }

  record UserGrantRole(AuthUserGrantRoleRequest request) implements AuthChange {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.userGrantRole(this);
    }
  }

  record UserRevokeRole(AuthUserRevokeRoleRequest request) implements AuthChange {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.userRevokeRole(this);
    }
  }

  record RoleAdd(AuthRoleAddRequest request) implements AuthChange {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.roleAdd(this);
    }
  }

  record RoleDelete(AuthRoleDeleteRequest request) implements AuthChange {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.roleDelete(this);
    }
  }

  record RoleGrantPermission(AuthRoleGrantPermissionRequest request) implements AuthChange {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.roleGrantPermission(this);
    }
  }

  record RoleRevokePermission(AuthRoleRevokePermissionRequest request) implements AuthChange {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.roleRevokePermission(this);
    }
  }

  /**
   * Gives a token to somebody whose password the edge has checked. The token is the letters, a dot
   * and the index of the entry, so that a member can tell a token that it hasn't heard of yet.
   *
   * @param user who logs in
   * @param letters what nobody can guess; ASCII
   * @param authRevision the revision under which the password was checked; under another one it has
   *     to be checked again
   */
  record IssueToken(String user, String letters, long authRevision) implements AuthChange {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.issueToken(this);
    }
  }
}
