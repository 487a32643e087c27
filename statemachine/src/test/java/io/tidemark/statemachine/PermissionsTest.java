package io.tidemark.statemachine;

import static io.tidemark.statemachine.testing.AuthChanges.enable;
import static io.tidemark.statemachine.testing.AuthChanges.grant;
import static io.tidemark.statemachine.testing.AuthChanges.grantRole;
import static io.tidemark.statemachine.testing.AuthChanges.roleAdd;
import static io.tidemark.statemachine.testing.AuthChanges.roleDelete;
import static io.tidemark.statemachine.testing.AuthChanges.userAdd;
import static io.tidemark.statemachine.testing.Requests.OPEN;
import static io.tidemark.statemachine.testing.Requests.bytes;
import static io.tidemark.statemachine.testing.Requests.delete;
import static io.tidemark.statemachine.testing.Requests.exists;
import static io.tidemark.statemachine.testing.Requests.op;
import static io.tidemark.statemachine.testing.Requests.put;
import static io.tidemark.statemachine.testing.Requests.range;
import static io.tidemark.statemachine.testing.Requests.txn;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.tidemark.api.authpb.Permission;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.Compare;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.TxnRequest;
import io.tidemark.mvcc.ReadView;
import io.tidemark.statemachine.auth.AttachedKeys;
import io.tidemark.statemachine.auth.Caller;
import io.tidemark.statemachine.auth.Permissions;
import io.tidemark.statemachine.testing.AuthChanges;
import io.tidemark.statemachine.testing.Requests;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Who may do what. User u reads [a, c), writes [b, d) and reads everything from x on; lease 1 has
 * keys b and c, lease 2 has key a and lease 3 has key z.
 */
final class PermissionsTest {
  private static final AttachedKeys LEASES =
      lease ->
          switch ((int) lease) {
            case 1 -> List.of(bytes("b"), bytes("c"));
            case 2 -> List.of(bytes("a"));
            case 3 -> List.of(bytes("z"));
            default -> List.of();
          };

  private final Machine machine = new Machine();

  @BeforeEach
  void users() {
    ok(userAdd("root", "h"), grantRole("root", "root"), userAdd("u", "h"), roleAdd("r"));
    ok(roleAdd("w"), grantRole("u", "r"), grantRole("u", "w"));
    ok(
        grant("r", Permission.Type.READ, "a", "b"),
        grant("w", Permission.Type.READ, "b", "c"),
        grant("w", Permission.Type.WRITE, "b", "d"),
        grant("r", Permission.Type.READ, "x", OPEN),
        enable());
  }

  @AfterEach
  void close() {
    machine.close();
  }

  private void ok(Command... commands) {
    for (Command command : commands) {
      Machine.parse(machine.apply(command).outcomes().get(0), bytes -> bytes);
    }
  }

  private long revision() {
    return machine.authority().state().revision();
  }

  private Permissions as(String user) {
    return new Permissions(
        machine.authority().state(), new Caller(user, user.isEmpty() ? 0 : revision()), LEASES);
  }

  private Command by(String user, Command command) {
    return new Command.OnBehalf(new Caller(user, revision()), command);
  }

  private static void denied(@Nullable EtcdError error) {
    assertEquals(EtcdError.PERMISSION_DENIED, error);
  }

  @Test
  void aRangeMustLieInTheUnionOfAllRoles() {
    Permissions user = as("u");
    assertNull(user.range(range("a")));
    assertNull(user.range(range("b\0z")));
    assertNull(user.range(range("a", "c")), "two permissions that touch");
    denied(user.range(range("a", "c\0")));
    denied(user.range(range("c")));
    denied(user.range(range("A", "b")));
    denied(user.range(range("a", OPEN)));
  }

  @Test
  void noEndNeedsAPermissionWithoutEnd() {
    assertNull(as("u").range(range("x", OPEN)));
    assertNull(as("u").range(range("y", OPEN)));
    assertNull(as("u").range(range("y", "z")));
    denied(as("u").range(range("w", OPEN)));
    denied(as("u").deleteRange(delete("b", OPEN)));
  }

  @Test
  void previousValuesAreReads() {
    PutRequest onC = put("c", "v");
    assertNull(as("u").put(onC));
    denied(as("u").put(onC.toBuilder().setPrevKv(true).build()));
    assertNull(as("u").put(put("b", "v").toBuilder().setPrevKv(true).build()));
    DeleteRangeRequest all = delete("b", "d");
    assertNull(as("u").deleteRange(all));
    denied(as("u").deleteRange(all.toBuilder().setPrevKv(true).build()));
    assertNull(as("u").deleteRange(delete("b").toBuilder().setPrevKv(true).build()));
    denied(as("u").put(put("a", "v")));
    denied(as("u").deleteRange(delete("a", "d")));
  }

  @Test
  void attachingToALeaseNeedsItsOtherKeys() {
    assertNull(as("u").put(put("b", "v").toBuilder().setLease(1).build()));
    denied(as("u").put(put("b", "v").toBuilder().setLease(2).build()));
    assertNull(as("u").put(put("b", "v").toBuilder().setLease(99).build()));
    assertNull(as("root").put(put("b", "v").toBuilder().setLease(2).build()));
  }

  @Test
  void leasesAreQuestionsOfTheirKeys() {
    assertNull(as("u").leaseChange(1));
    denied(as("u").leaseChange(2));
    assertNull(as("u").leaseChange(99));
    assertNull(as("u").leaseKeys(2));
    assertNull(as("u").leaseKeys(3));
    denied(as("u").leaseKeys(1));
    assertNull(as("root").leaseChange(2));
    assertNull(as("root").leaseKeys(1));
    assertEquals(EtcdError.USER_EMPTY, as("").leaseChange(99));
    assertEquals(EtcdError.USER_EMPTY, as("").leaseKeys(99));
  }

  @Test
  void transactionsNeedAllOfBothBranchesAtEveryDepth() {
    TxnRequest fine = txn(List.of(exists("a")), List.of(op(put("b", ""))), List.of(op(range("x"))));
    assertNull(as("u").txn(fine));
    List<TxnRequest> wrong = new ArrayList<>();
    wrong.add(fine.toBuilder().addCompare(exists("c")).build());
    wrong.add(
        fine.toBuilder()
            .addCompare(Compare.newBuilder(exists("a")).setRangeEnd(bytes(OPEN)).build())
            .build());
    wrong.add(fine.toBuilder().addSuccess(op(put("a", ""))).build());
    wrong.add(fine.toBuilder().addFailure(op(put("a", ""))).build());
    wrong.add(fine.toBuilder().addFailure(op(range("c"))).build());
    wrong.add(fine.toBuilder().addSuccess(op(delete("b", OPEN))).build());
    wrong.add(
        fine.toBuilder().addSuccess(op(put("c", "").toBuilder().setPrevKv(true).build())).build());
    wrong.add(
        fine.toBuilder().addSuccess(op(put("b", "").toBuilder().setLease(2).build())).build());
    for (TxnRequest request : List.copyOf(wrong)) {
      wrong.add(txn(op(txn(op(request)))));
      wrong.add(txn(List.of(), List.of(), List.of(op(request))));
    }
    for (TxnRequest request : wrong) {
      denied(as("u").txn(request));
      assertNull(as("root").txn(request));
      assertEquals(EtcdError.USER_EMPTY, as("").txn(request));
    }
  }

  /** It might be large, and goes through the log when it isn't a read. */
  @Test
  void aTransactionOfNothingNeedsSomeUser() {
    for (TxnRequest nothing : List.of(txn(), txn(op(txn())), txn(RequestOp.getDefaultInstance()))) {
      assertEquals(EtcdError.USER_EMPTY, as("").txn(nothing));
      assertNull(as("u").txn(nothing));
    }
  }

  @Test
  void oldCredentialsComeBeforeMissingRights() {
    Permissions old =
        new Permissions(
            machine.authority().state(), new Caller("u", revision() - 1), AttachedKeys.NONE);
    assertEquals(EtcdError.AUTH_OLD_REVISION, old.range(range("a")));
    assertEquals(EtcdError.AUTH_OLD_REVISION, old.range(range("zzz")));
    denied(old.admin());
    Permissions oldRoot =
        new Permissions(
            machine.authority().state(), new Caller("root", revision() - 1), AttachedKeys.NONE);
    assertEquals(EtcdError.AUTH_OLD_REVISION, oldRoot.range(range("a")));
    assertNull(oldRoot.admin(), "the role counts, not the revision");
  }

  /** A JWT outlives a restored backup that took the auth revision back. */
  @Test
  void credentialsOfAnotherFutureReadNothing() {
    for (String user : List.of("u", "root")) {
      Permissions ahead =
          new Permissions(
              machine.authority().state(), new Caller(user, revision() + 1), AttachedKeys.NONE);
      assertEquals(EtcdError.AUTH_OLD_REVISION, ahead.range(range("a")));
      assertEquals(EtcdError.AUTH_OLD_REVISION, ahead.read(bytes("b"), bytes("c")));
      assertNull(ahead.write(bytes("b"), bytes("c")), "as in etcd");
    }
  }

  @Test
  void onlyTheRootRoleIsAdmin() {
    assertNull(as("root").admin());
    denied(as("u").admin());
    denied(as("nobody").admin());
    assertEquals(EtcdError.USER_EMPTY, as("").admin());
    assertNull(as("u").known());
    assertEquals(EtcdError.USER_EMPTY, as("").known());
    assertNull(as("u").userGet("u"));
    denied(as("u").userGet("root"));
    assertEquals(EtcdError.USER_EMPTY, as("").userGet(""));
    assertNull(as("u").roleGet("r"));
    denied(as("u").roleGet("root"));
    assertEquals(EtcdError.USER_EMPTY, as("").roleGet("r"));
  }

  @Test
  void theLogDecidesUnderTheRightsOfItsOwnMoment() {
    Command write = by("u", new Command.Put(put("b", "1")));
    ok(write);
    Command later = by("u", new Command.Put(put("b", "2")));
    AppliedEntry entry = machine.apply(by("root", roleDelete("w")), later);
    assertEquals(EtcdError.AUTH_OLD_REVISION, Machine.error(entry.outcomes().get(1)));
    assertEquals(
        EtcdError.PERMISSION_DENIED, machine.refused(by("u", new Command.Put(put("b", "3")))));
    assertEquals(EtcdError.USER_EMPTY, machine.refused(new Command.Put(put("b", "4"))));
    assertEquals(EtcdError.PERMISSION_DENIED, machine.refused(by("u", AuthChanges.disable())));
    assertEquals(EtcdError.USER_EMPTY, machine.refused(AuthChanges.disable()));
    assertEquals(EtcdError.USER_EMPTY, machine.refused(enable()));
    assertEquals(
        EtcdError.PERMISSION_DENIED,
        machine.refused(by("u", new Command.Compact(Requests.compact(1)))));
    try (ReadView view = machine.store().view()) {
      var pair = view.get(bytes("b"), 0);
      assertEquals("1", pair == null ? null : pair.getValue().toStringUtf8());
    }
  }

  @Test
  void enablingWithinAnEntryCountsFromTheNextCommandOn() {
    ok(by("root", AuthChanges.disable()));
    AppliedEntry entry =
        machine.apply(new Command.Put(put("k", "1")), enable(), new Command.Put(put("k", "2")));
    assertEquals(1, entry.batches().size());
    assertEquals(EtcdError.USER_EMPTY, Machine.error(entry.outcomes().get(2)));
  }
}
