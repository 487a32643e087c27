package io.tidemark.statemachine;

import static io.tidemark.statemachine.testing.AuthChanges.disable;
import static io.tidemark.statemachine.testing.AuthChanges.enable;
import static io.tidemark.statemachine.testing.AuthChanges.grant;
import static io.tidemark.statemachine.testing.AuthChanges.grantNothing;
import static io.tidemark.statemachine.testing.AuthChanges.grantRole;
import static io.tidemark.statemachine.testing.AuthChanges.login;
import static io.tidemark.statemachine.testing.AuthChanges.passwd;
import static io.tidemark.statemachine.testing.AuthChanges.permission;
import static io.tidemark.statemachine.testing.AuthChanges.revoke;
import static io.tidemark.statemachine.testing.AuthChanges.revokeRole;
import static io.tidemark.statemachine.testing.AuthChanges.roleAdd;
import static io.tidemark.statemachine.testing.AuthChanges.roleDelete;
import static io.tidemark.statemachine.testing.AuthChanges.userAdd;
import static io.tidemark.statemachine.testing.AuthChanges.userDelete;
import static io.tidemark.statemachine.testing.AuthChanges.userWithoutPassword;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.api.authpb.Permission;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.AuthenticateResponse;
import io.tidemark.mvcc.ReadView;
import io.tidemark.mvcc.Table;
import io.tidemark.statemachine.auth.AuthState;
import io.tidemark.statemachine.auth.Caller;
import io.tidemark.statemachine.auth.TokenListener;
import io.tidemark.statemachine.testing.Requests;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Users and roles: every refusal of the contract, and what each change leaves behind. */
final class AuthTest {
  private final Machine machine = new Machine();
  private final List<String> tokens = new ArrayList<>();

  AuthTest() {
    machine
        .authority()
        .listen(
            new TokenListener() {
              @Override
              public void issued(String token, String user) {
                tokens.add(token + "=" + user);
              }

              @Override
              public void dropped(String user) {
                tokens.add("-" + user);
              }

              @Override
              public void droppedAll() {
                tokens.add("-*");
              }
            });
  }

  @AfterEach
  void close() {
    machine.close();
  }

  private AuthState state() {
    return machine.authority().state();
  }

  private void ok(Command... commands) {
    for (Command command : commands) {
      Machine.parse(machine.apply(command).outcomes().get(0), bytes -> bytes);
    }
  }

  private Command asRoot(Command command) {
    return new Command.OnBehalf(new Caller("root", state().revision()), command);
  }

  private void rootAndEnable() {
    ok(userAdd("root", "h"), grantRole("root", "root"), enable());
  }

  @Test
  void aNewStoreHasNobodyAndRevisionOne() {
    assertFalse(state().enabled());
    assertEquals(1, state().revision());
    assertEquals(List.of(), state().userNames());
    assertEquals(List.of(), state().roleNames());
  }

  @Test
  void everyChangeCountsAndNothingElseDoes() {
    ok(roleAdd("r"), userAdd("u", "h"), grantRole("u", "r"));
    assertEquals(4, state().revision());
    ok(grantRole("u", "r"));
    assertEquals(4, state().revision(), "a role that is held already");
    ok(grant("r", Permission.Type.READ, "k", ""), grant("r", Permission.Type.READ, "k", ""));
    assertEquals(6, state().revision(), "a permission counts even if it is there already");
    ok(passwd("u", "g"), revoke("r", "k", ""), revokeRole("u", "r"), roleDelete("r"));
    ok(userDelete("u"));
    assertEquals(11, state().revision());
    ok(userAdd("root", "h"), grantRole("root", "root"));
    ok(enable());
    assertEquals(13, state().revision(), "enabling doesn't count");
    ok(asRoot(enable()), login("root", "x", 13));
    assertEquals(13, state().revision());
    ok(asRoot(disable()));
    assertEquals(14, state().revision(), "disabling counts");
    ok(disable());
    assertEquals(14, state().revision(), "when there is something to disable");
    assertEquals(1, machine.store().revision(), "no revision of keys is used up");
  }

  @Test
  void enablingNeedsRootWithTheRootRole() {
    assertEquals(EtcdError.ROOT_USER_NOT_EXIST, machine.refused(enable()));
    ok(userAdd("root", "h"));
    assertEquals(EtcdError.ROOT_ROLE_NOT_EXIST, machine.refused(enable()));
    ok(grantRole("root", "root"), enable());
    assertTrue(state().enabled());
    assertNull(state().role("root"), "the role itself need not exist");
  }

  @Test
  void theLeadersOwnCompactionNeedsNoRights() {
    ok(new Command.Put(Requests.put("k", "v")), new Command.Put(Requests.put("k", "w")));
    rootAndEnable();
    assertEquals(EtcdError.USER_EMPTY, machine.refused(new Command.Compact(Requests.compact(2))));
    ok(new Command.AutoCompact(Requests.compact(2)));
    assertEquals(2, machine.store().compactRevision());
    assertEquals(
        EtcdError.COMPACTED, machine.refused(new Command.AutoCompact(Requests.compact(2))));
  }

  @Test
  void usersAreRefusedInOrder() {
    assertEquals(EtcdError.USER_EMPTY, machine.refused(userAdd("", "h")));
    ok(userAdd("u", "h"));
    assertEquals(EtcdError.USER_ALREADY_EXIST, machine.refused(userAdd("u", "h")));
    assertEquals(EtcdError.USER_ALREADY_EXIST, machine.refused(userWithoutPassword("u")));
    assertEquals(EtcdError.USER_NOT_FOUND, machine.refused(userDelete("v")));
    assertEquals(EtcdError.USER_NOT_FOUND, machine.refused(passwd("v", "h")));
    assertEquals(EtcdError.USER_NOT_FOUND, machine.refused(grantRole("v", "none")));
    assertEquals(EtcdError.ROLE_NOT_FOUND, machine.refused(grantRole("u", "none")));
    assertEquals(EtcdError.USER_NOT_FOUND, machine.refused(revokeRole("v", "none")));
    assertEquals(EtcdError.ROLE_NOT_GRANTED, machine.refused(revokeRole("u", "none")));
  }

  @Test
  void rolesAreRefusedInOrder() {
    assertEquals(EtcdError.ROLE_EMPTY, machine.refused(roleAdd("")));
    ok(roleAdd("r"));
    assertEquals(EtcdError.ROLE_ALREADY_EXIST, machine.refused(roleAdd("r")));
    assertEquals(EtcdError.ROLE_NOT_FOUND, machine.refused(roleDelete("none")));
    assertEquals(EtcdError.PERMISSION_NOT_GIVEN, machine.refused(grantNothing("none")));
    Permission.Type read = Permission.Type.READ;
    assertEquals(EtcdError.INVALID_AUTH_MGMT, machine.refused(grant("none", read, "", "")));
    assertEquals(EtcdError.INVALID_AUTH_MGMT, machine.refused(grant("none", read, "", "\0")));
    assertEquals(EtcdError.INVALID_AUTH_MGMT, machine.refused(grant("none", read, "b", "b")));
    assertEquals(EtcdError.INVALID_AUTH_MGMT, machine.refused(grant("none", read, "b", "a")));
    assertEquals(EtcdError.ROLE_NOT_FOUND, machine.refused(grant("none", read, "a", "\0")));
    assertEquals(EtcdError.ROLE_NOT_FOUND, machine.refused(revoke("none", "a", "")));
    ok(grant("r", read, "a", "\0"));
    assertEquals(EtcdError.PERMISSION_NOT_GRANTED, machine.refused(revoke("r", "a", "")));
  }

  @Test
  void whatRootNeedsCannotBeTakenAwayWhileEnabled() {
    ok(roleAdd("root"));
    rootAndEnable();
    for (Command command :
        List.of(userDelete("root"), roleDelete("root"), revokeRole("root", "root"))) {
      assertEquals(EtcdError.INVALID_AUTH_MGMT, machine.refused(asRoot(command)));
    }
    ok(asRoot(disable()), revokeRole("root", "root"), roleDelete("root"), userDelete("root"));
    assertEquals(List.of(), state().userNames());
  }

  @Test
  void aPermissionOnTheSameRangeChangesItsType() {
    ok(roleAdd("r"), grant("r", Permission.Type.READ, "b", ""));
    ok(grant("r", Permission.Type.READ, "b", "c"), grant("r", Permission.Type.WRITE, "a", ""));
    ok(grant("r", Permission.Type.READWRITE, "b", "c"));
    assertEquals(
        List.of(
            permission(Permission.Type.WRITE, "a", ""),
            permission(Permission.Type.READ, "b", ""),
            permission(Permission.Type.READWRITE, "b", "c")),
        Objects.requireNonNull(state().role("r")).getKeyPermissionList());
  }

  @Test
  void aDeletedRoleIsTakenFromItsHolders() {
    ok(roleAdd("a"), roleAdd("b"), userAdd("u", "h"), userAdd("v", "h"));
    ok(grantRole("u", "b"), grantRole("u", "a"), grantRole("v", "a"));
    assertEquals(List.of("a", "b"), Objects.requireNonNull(state().user("u")).getRolesList());
    ok(roleDelete("a"));
    assertEquals(List.of("b"), Objects.requireNonNull(state().user("u")).getRolesList());
    assertEquals(List.of(), Objects.requireNonNull(state().user("v")).getRolesList());
  }

  @Test
  void namesSortByTheirBytes() {
    // In UTF-16 the last two stand the other way round.
    ok(userAdd("\uD83D\uDE00", "h"), userAdd("\uFF01", "h"), userAdd("b", "h"), userAdd("B", "h"));
    assertEquals(List.of("B", "b", "\uFF01", "\uD83D\uDE00"), state().userNames());
  }

  @Test
  void loginsAreDecidedWhereTheyStandInTheLog() {
    ok(userAdd("u", "h"), userWithoutPassword("n"));
    assertEquals(EtcdError.AUTH_NOT_ENABLED, machine.refused(login("u", "xyz", 3)));
    rootAndEnable();
    long now = state().revision();
    assertEquals(EtcdError.AUTH_OLD_REVISION, machine.refused(login("u", "xyz", now - 1)));
    assertEquals(EtcdError.AUTH_FAILED, machine.refused(login("n", "xyz", now)));
    assertEquals(EtcdError.AUTH_FAILED, machine.refused(login("nobody", "xyz", now)));
    AuthenticateResponse response =
        Machine.parse(
            machine.apply(login("u", "xyz", now)).outcomes().get(0),
            AuthenticateResponse::parseFrom);
    String token = "xyz." + machine.index();
    assertEquals(token, response.getToken());
    assertEquals(1, response.getHeader().getRevision());
    assertEquals(List.of(token + "=u"), tokens);
  }

  @Test
  void tokensEndWithTheirUserTheirPasswordAndWithAuthentication() {
    ok(userAdd("u", "h"));
    rootAndEnable();
    ok(asRoot(passwd("u", "g")), asRoot(userDelete("u")), asRoot(disable()));
    assertEquals(List.of("-u", "-u", "-*"), tokens);
    machine.reopen();
    assertEquals("-*", tokens.get(3), "a store that may be another one");
  }

  @Test
  void rowsAreTheDocumentedOnesAndComeBack() {
    ok(roleAdd("r"), grant("r", Permission.Type.WRITE, "a", "b"), userAdd("u", "h"));
    ok(grantRole("u", "r"), userWithoutPassword("n"));
    rootAndEnable();
    assertEquals(
        Map.of(
            "00", "01" + "0000000000000008",
            "016e", "0a016e" + "22020801",
            "0175", "0a0175" + "120168" + "1a0172" + "2200",
            "01726f6f74", "0a04726f6f74" + "120168" + "1a04726f6f74" + "2200",
            "0272", "0a0172" + "1208" + "0801" + "120161" + "1a0162"),
        rows());
    AuthState before = state();
    machine.reopen();
    assertTrue(state().enabled());
    assertEquals(8, state().revision());
    for (String name : List.of("n", "root", "u")) {
      assertEquals(before.user(name), state().user(name));
    }
    assertEquals(before.role("r"), state().role("r"));
    ok(asRoot(userDelete("n")), asRoot(roleDelete("r")));
    assertEquals(List.of("00", "01726f6f74", "0175"), List.copyOf(rows().keySet()));
  }

  private Map<String, String> rows() {
    Map<String, String> rows = new TreeMap<>();
    try (ReadView view = machine.store().view()) {
      view.tableScan(
          Table.AUTH,
          (key, value) ->
              rows.put(
                  HexFormat.of().formatHex(key.toByteArray()),
                  HexFormat.of().formatHex(value.toByteArray())));
    }
    return rows;
  }
}
