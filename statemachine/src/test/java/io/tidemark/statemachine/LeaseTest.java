package io.tidemark.statemachine;

import static io.tidemark.statemachine.testing.Requests.bytes;
import static io.tidemark.statemachine.testing.Requests.delete;
import static io.tidemark.statemachine.testing.Requests.op;
import static io.tidemark.statemachine.testing.Requests.put;
import static io.tidemark.statemachine.testing.Requests.txn;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.google.protobuf.ByteString;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.LeaseGrantResponse;
import io.tidemark.api.etcdserverpb.LeaseRevokeRequest;
import io.tidemark.api.etcdserverpb.LeaseRevokeResponse;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.mvcc.Change;
import io.tidemark.mvcc.ReadView;
import io.tidemark.mvcc.RevisionBatch;
import io.tidemark.mvcc.Table;
import io.tidemark.statemachine.lease.Lease;
import io.tidemark.statemachine.lease.LeaseChanges;
import io.tidemark.statemachine.lease.LeaseExpiry;
import io.tidemark.statemachine.lease.LeaseReads;
import io.tidemark.statemachine.lease.LeaseRenewals;
import io.tidemark.statemachine.lease.LeaseRenewals.Renewal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class LeaseTest {
  private final Machine machine = new Machine();

  @AfterEach
  void close() {
    machine.close();
  }

  private static Command grant(long id, long ttl) {
    return new Command.LeaseGrant(LeaseGrantRequest.newBuilder().setID(id).setTTL(ttl).build());
  }

  private static Command revoke(long id) {
    return new Command.LeaseRevoke(LeaseRevokeRequest.newBuilder().setID(id).build());
  }

  private static Command renew(long clock, Renewal... renewals) {
    return new Command.RenewLeases(new LeaseRenewals(1, clock, List.of(renewals)));
  }

  private static Command expire(long clock, long id, long renewedAt) {
    return new Command.ExpireLease(new LeaseExpiry(1, clock, id, renewedAt));
  }

  private static PutRequest leased(String key, long lease) {
    return put(key, "v").toBuilder().setLease(lease).build();
  }

  private List<ByteString> keys(long lease) {
    try (ReadView view = machine.store().view()) {
      return LeaseReads.keys(view, lease);
    }
  }

  private List<Change> lastChanges() {
    List<RevisionBatch> published = machine.published();
    return published.get(published.size() - 1).changes();
  }

  @Test
  void aGrantTellsIdAndTtlAndMakesNoRevision() {
    Outcome outcome = machine.apply(grant(-7, 60)).outcomes().get(0);
    LeaseGrantResponse response = Machine.parse(outcome, LeaseGrantResponse::parseFrom);
    assertEquals(-7, response.getID());
    assertEquals(60, response.getTTL());
    assertEquals(1, response.getHeader().getRevision());
    assertEquals(1, machine.store().revision());
    assertEquals(EtcdError.LEASE_EXIST, machine.refused(grant(-7, 5)));
    assertEquals(EtcdError.LEASE_TTL_TOO_LARGE, machine.refused(grant(-7, 9_000_000_001L)));
    assertEquals(EtcdError.LEASE_NOT_FOUND, machine.refused(grant(0, 60)));
  }

  @Test
  void aRevokeIsOneRevisionWithSortedDeletesAndPreviousPairs() {
    machine.apply(grant(1, 60));
    for (String key : List.of("b", "\u00ff", "a", "c")) {
      machine.put(leased(key, 1));
    }
    Outcome outcome = machine.apply(revoke(1)).outcomes().get(0);
    assertEquals(
        6, Machine.parse(outcome, LeaseRevokeResponse::parseFrom).getHeader().getRevision());
    List<Change> changes = lastChanges();
    assertEquals(
        List.of(bytes("a"), bytes("b"), bytes("c"), bytes("\u00ff")),
        changes.stream().map(change -> change.current().getKey()).toList());
    for (Change change : changes) {
      assertEquals(
          KeyValue.newBuilder().setKey(change.current().getKey()).setModRevision(6).build(),
          change.current());
      KeyValue previous = change.previous();
      assertEquals(1, previous == null ? 0 : previous.getLease());
    }
    assertEquals(EtcdError.LEASE_NOT_FOUND, machine.refused(revoke(1)));
    assertEquals(List.of(), keys(1));
  }

  @Test
  void aLeaseWithoutLiveKeysIsRevokedWithoutARevision() {
    machine.apply(grant(1, 60));
    machine.put(leased("k", 1));
    machine.delete(delete("k", ""));
    assertEquals(List.of(), machine.apply(revoke(1)).batches());
    assertEquals(3, machine.store().revision());
  }

  @Test
  void aKeyBelongsToTheLeaseOfItsLastPut() {
    machine.apply(grant(1, 60), grant(2, 60));
    machine.put(leased("moves", 1));
    machine.put(leased("moves", 2));
    machine.put(leased("leaves", 1));
    machine.put("leaves", "plain");
    machine.put(leased("stays", 1));
    machine.put(put("stays", "w").toBuilder().setIgnoreLease(true).build());
    machine.txn(txn(op(leased("txn", 1)), op(delete("none", ""))));
    assertEquals(List.of(bytes("stays"), bytes("txn")), keys(1));
    assertEquals(List.of(bytes("moves")), keys(2));
    machine.apply(revoke(1));
    assertEquals(2, lastChanges().size());
    assertEquals(List.of(bytes("moves")), keys(2));
  }

  @Test
  void commandsOfOneEntrySeeEachOther() {
    AppliedEntry applied =
        machine.apply(
            grant(1, 60),
            new Command.Put(leased("k", 1)),
            revoke(1),
            new Command.Put(leased("l", 1)),
            grant(1, 30));
    assertEquals(EtcdError.LEASE_NOT_FOUND, Machine.error(applied.outcomes().get(3)));
    assertEquals(3, machine.store().revision());
    assertEquals(new Lease(30, Lease.NOT_LOGGED), machine.commands().leases().find(1));
    assertEquals(
        new LeaseChanges(LeaseChanges.SAME_CLOCK, List.of(1L, 1L), 1, 0), applied.leases());
  }

  @Test
  void aRenewalAnswersTheGrantedTtlAndZeroForNoLease() {
    machine.apply(grant(1, 60));
    AppliedEntry applied = machine.apply(renew(5000, new Renewal(1, 4000), new Renewal(2, 4500)));
    assertEquals(
        new Outcome.Done(
            ByteString.copyFrom(HexFormat.of().parseHex("000000000000003c0000000000000000")), 1),
        applied.outcomes().get(0));
    assertEquals(new LeaseChanges(5000, List.of(), 0, 0), applied.leases());
    assertEquals(new Lease(60, 4000), machine.commands().leases().find(1));
    assertEquals(5000, machine.commands().leases().clock());
  }

  @Test
  void neitherTheClockNorARenewalGoesBack() {
    machine.apply(grant(1, 60));
    machine.apply(renew(5000, new Renewal(1, 4000)));
    AppliedEntry late = machine.apply(renew(3000, new Renewal(1, 2000)));
    assertEquals(LeaseChanges.NONE, late.leases());
    assertEquals(new Lease(60, 4000), machine.commands().leases().find(1));
    assertEquals(5000, machine.commands().leases().clock());
  }

  @Test
  void onlyTheLeaderOfTheEntrysTermIsBelieved() {
    machine.apply(grant(1, 1));
    machine.apply(renew(1000, new Renewal(1, 1000)));
    assertEquals(
        EtcdError.LEADER_CHANGED,
        machine.refused(
            new Command.RenewLeases(new LeaseRenewals(2, 9000, List.of(new Renewal(1, 9000))))));
    assertEquals(
        EtcdError.LEADER_CHANGED,
        machine.refused(new Command.ExpireLease(new LeaseExpiry(0, 9000, 1, 1000))));
    assertEquals(new Lease(1, 1000), machine.commands().leases().find(1));
    assertEquals(1000, machine.commands().leases().clock());
  }

  @Test
  void anExpiryRestsOnTheRenewalThatTheLogKnows() {
    machine.apply(grant(1, 2));
    assertEquals(EtcdError.LEASE_NOT_FOUND, machine.refused(expire(9000, 1, Lease.NOT_LOGGED)));
    machine.apply(renew(9000, new Renewal(1, 9000)));
    machine.put(leased("k", 1));
    assertEquals(EtcdError.LEASE_NOT_FOUND, machine.refused(expire(10_999, 1, 9000)), "too early");
    machine.apply(renew(10_500, new Renewal(1, 10_400)));
    assertEquals(EtcdError.LEASE_NOT_FOUND, machine.refused(expire(11_000, 1, 9000)), "renewed");
    AppliedEntry applied = machine.apply(expire(12_400, 1, 10_400));
    assertEquals(new LeaseChanges(12_400, List.of(), 1, 1), applied.leases());
    assertEquals(
        List.of(bytes("k")), lastChanges().stream().map(c -> c.current().getKey()).toList());
    assertNull(machine.commands().leases().find(1));
  }

  @Test
  void everyExpiryHasARevisionOfItsOwn() {
    machine.apply(grant(1, 1), grant(2, 1), grant(3, 1));
    machine.apply(renew(0, new Renewal(1, 0), new Renewal(2, 0), new Renewal(3, 0)));
    machine.put(leased("a", 1));
    machine.put(leased("b", 3));
    AppliedEntry applied =
        machine.apply(expire(1000, 3, 0), expire(1000, 2, 0), expire(1000, 1, 0));
    assertEquals(List.of(4L, 5L), applied.batches().stream().map(RevisionBatch::revision).toList());
  }

  @Test
  void leasesAreThereAfterReopening() {
    machine.apply(grant(1, 60), grant(-2, 30));
    machine.apply(renew(5000, new Renewal(1, 4000)));
    machine.put(leased("k", 1));
    machine.reopen();
    assertEquals(new Lease(60, 4000), machine.commands().leases().find(1));
    assertEquals(new Lease(30, Lease.NOT_LOGGED), machine.commands().leases().find(-2));
    assertEquals(5000, machine.commands().leases().clock());
    assertEquals(List.of(bytes("k")), keys(1));
  }

  /** The rows of docs/format.md. If this fails, the store's format must change. */
  @Test
  void writesTheDocumentedRows() {
    machine.apply(grant(-2, 60));
    machine.apply(renew(0x102, new Renewal(-2, 0x101)));
    machine.put(leased("k", -2));
    assertEquals(List.of("fffffffffffffffe 000000000000003c0000000000000101"), rows(Table.LEASE));
    assertEquals(List.of("fffffffffffffffe6b "), rows(Table.LEASE_KEY));
    String clock = HexFormat.of().formatHex("lease_clock".getBytes(StandardCharsets.US_ASCII));
    assertEquals(
        List.of(clock + " 0000000000000102"),
        rows(Table.META).stream().filter(row -> row.startsWith(clock)).toList());
  }

  private List<String> rows(Table table) {
    List<String> rows = new ArrayList<>();
    HexFormat hex = HexFormat.of();
    try (ReadView view = machine.store().view()) {
      view.tableScan(
          table,
          (key, row) ->
              rows.add(hex.formatHex(key.toByteArray()) + " " + hex.formatHex(row.toByteArray())));
    }
    return rows;
  }
}
