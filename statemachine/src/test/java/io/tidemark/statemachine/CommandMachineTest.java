package io.tidemark.statemachine;

import static io.tidemark.statemachine.testing.Requests.bytes;
import static io.tidemark.statemachine.testing.Requests.delete;
import static io.tidemark.statemachine.testing.Requests.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.ByteString;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.CompactionResponse;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.DeleteRangeResponse;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.PutResponse;
import io.tidemark.api.etcdserverpb.ResponseHeader;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.mvcc.AppliedPosition;
import io.tidemark.mvcc.Change;
import io.tidemark.mvcc.ReadView;
import io.tidemark.mvcc.RevisionBatch;
import io.tidemark.statemachine.lease.LeaseChanges;
import io.tidemark.statemachine.testing.Requests;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Puts, deletes, compactions, and what an entry is. */
final class CommandMachineTest {
  private final Machine machine = new Machine();

  @AfterEach
  void close() {
    machine.close();
  }

  private static KeyValue pair(String key, String value, long create, long mod, long version) {
    return KeyValue.newBuilder()
        .setKey(bytes(key))
        .setValue(bytes(value))
        .setCreateRevision(create)
        .setModRevision(mod)
        .setVersion(version)
        .build();
  }

  private static KeyValue tombstone(String key, long revision) {
    return KeyValue.newBuilder().setKey(bytes(key)).setModRevision(revision).build();
  }

  private static ResponseHeader header(long revision) {
    return ResponseHeader.newBuilder().setRevision(revision).build();
  }

  private KeyValue get(String key) {
    try (ReadView view = machine.store().view()) {
      KeyValue pair = view.get(bytes(key), 0);
      return pair == null ? KeyValue.getDefaultInstance() : pair;
    }
  }

  @Test
  void aPutTellsItsRevisionAndPublishesIt() {
    assertEquals(PutResponse.newBuilder().setHeader(header(2)).build(), machine.put("k", "1"));
    assertEquals(PutResponse.newBuilder().setHeader(header(3)).build(), machine.put("k", "1"));
    assertEquals(pair("k", "1", 2, 3, 2), get("k"));
    assertEquals(
        List.of(
            List.of(new Change(false, pair("k", "1", 2, 2, 1), null)),
            List.of(new Change(false, pair("k", "1", 2, 3, 2), pair("k", "1", 2, 2, 1)))),
        machine.published().stream().map(RevisionBatch::changes).toList());
  }

  @Test
  void aPutGivesThePreviousPairOnlyWhenAsked() {
    PutRequest asking = put("k", "2").toBuilder().setPrevKv(true).build();
    assertEquals(PutResponse.newBuilder().setHeader(header(2)).build(), machine.put(asking));
    assertEquals(
        PutResponse.newBuilder().setHeader(header(3)).setPrevKv(pair("k", "2", 2, 2, 1)).build(),
        machine.put(asking));
  }

  @Test
  void aPutMayKeepTheValue() {
    PutRequest keeps = put("k", "").toBuilder().setIgnoreValue(true).setPrevKv(true).build();
    assertEquals(EtcdError.KEY_NOT_FOUND, machine.refused(new Command.Put(keeps)));
    machine.put("k", "v");
    assertEquals(
        PutResponse.newBuilder().setHeader(header(3)).setPrevKv(pair("k", "v", 2, 2, 1)).build(),
        machine.put(keeps));
    assertEquals(pair("k", "v", 2, 3, 2), get("k"));
  }

  @Test
  void aPutMayKeepTheLease() {
    PutRequest keeps = put("k", "w").toBuilder().setIgnoreLease(true).build();
    assertEquals(EtcdError.KEY_NOT_FOUND, machine.refused(new Command.Put(keeps)));
    machine.put("k", "v");
    assertEquals(header(3), machine.put(keeps).getHeader());
    assertEquals(pair("k", "w", 2, 3, 2), get("k"));
  }

  @Test
  void anUnknownLeaseComesBeforeAMissingKey() {
    PutRequest leased = put("k", "").toBuilder().setLease(1).build();
    assertEquals(EtcdError.LEASE_NOT_FOUND, machine.refused(new Command.Put(leased)));
    assertEquals(
        EtcdError.LEASE_NOT_FOUND,
        machine.refused(new Command.Put(leased.toBuilder().setIgnoreValue(true).build())));
  }

  @Test
  void aDeleteTellsWhatItDeleted() {
    machine.put("a", "1");
    machine.put("b", "2");
    machine.put("c", "3");
    DeleteRangeRequest range = delete("a", "c").toBuilder().setPrevKv(true).build();
    assertEquals(
        DeleteRangeResponse.newBuilder()
            .setHeader(header(5))
            .setDeleted(2)
            .addPrevKvs(pair("a", "1", 2, 2, 1))
            .addPrevKvs(pair("b", "2", 3, 3, 1))
            .build(),
        machine.delete(range));
    assertEquals(
        List.of(
            new Change(true, tombstone("a", 5), pair("a", "1", 2, 2, 1)),
            new Change(true, tombstone("b", 5), pair("b", "2", 3, 3, 1))),
        machine.published().get(3).changes());
    assertEquals(
        DeleteRangeResponse.newBuilder().setHeader(header(5)).build(), machine.delete(range));
    assertEquals(
        DeleteRangeResponse.newBuilder().setHeader(header(6)).setDeleted(1).build(),
        machine.delete(delete("\0", "\0")));
    assertEquals(
        DeleteRangeResponse.newBuilder().setHeader(header(6)).build(),
        machine.delete(delete("z", "a")));
    assertEquals(5, machine.published().size());
  }

  @Test
  void aNewLifeOfAKeyStartsAtVersionOne() {
    machine.put("k", "1");
    machine.put("k", "2");
    machine.delete(delete("k"));
    machine.put("k", "3");
    assertEquals(pair("k", "3", 5, 5, 1), get("k"));
  }

  @Test
  void compactionIsBoundedByTheLastOneAndByNow() {
    machine.put("k", "1");
    machine.put("k", "2");
    assertEquals(EtcdError.FUTURE_REV, compactRefused(4));
    assertEquals(EtcdError.COMPACTED, compactRefused(-1));
    assertEquals(CompactionResponse.newBuilder().setHeader(header(3)).build(), machine.compact(2));
    assertEquals(2, machine.store().compactRevision());
    assertEquals(EtcdError.COMPACTED, compactRefused(2));
    assertEquals(EtcdError.COMPACTED, compactRefused(0));
    assertEquals(header(3), machine.compact(3).getHeader());
    assertEquals(EtcdError.COMPACTED, compactRefused(3));
    assertEquals(2, machine.published().size(), "compaction makes no revision");
  }

  @Test
  void compactingAtZeroWorksOnce() {
    assertEquals(-1, machine.store().compactRevision());
    assertEquals(header(1), machine.compact(0).getHeader());
    assertEquals(0, machine.store().compactRevision());
    assertEquals(EtcdError.COMPACTED, compactRefused(0));
  }

  private EtcdError compactRefused(long revision) {
    return machine.refused(new Command.Compact(Requests.compact(revision)));
  }

  @Test
  void anEntryTellsWhereItCompacted() {
    assertEquals(0, machine.apply(new Command.Put(put("k", "1"))).compactRevision());
    AppliedEntry applied =
        machine.apply(
            new Command.Put(put("k", "2")),
            new Command.Compact(Requests.compact(3)),
            new Command.Compact(Requests.compact(2)));
    assertEquals(3, applied.compactRevision());
    assertEquals(EtcdError.COMPACTED, Machine.error(applied.outcomes().get(2)));
    assertEquals(0, machine.apply().compactRevision());
  }

  @Test
  void commandsOfAnEntrySeeEachOther() {
    AppliedEntry applied =
        machine.apply(
            new Command.Put(put("k", "1")),
            new Command.DeleteRange(delete("k").toBuilder().setPrevKv(true).build()),
            new Command.Put(put("k", "").toBuilder().setIgnoreValue(true).build()),
            new Command.Put(put("k", "2").toBuilder().setPrevKv(true).build()));
    assertEquals(
        DeleteRangeResponse.newBuilder()
            .setHeader(header(3))
            .setDeleted(1)
            .addPrevKvs(pair("k", "1", 2, 2, 1))
            .build(),
        Machine.parse(applied.outcomes().get(1), DeleteRangeResponse::parseFrom));
    assertEquals(EtcdError.KEY_NOT_FOUND, Machine.error(applied.outcomes().get(2)));
    assertEquals(
        PutResponse.newBuilder().setHeader(header(4)).build(),
        Machine.parse(applied.outcomes().get(3), PutResponse::parseFrom));
    assertEquals(
        List.of(2L, 3L, 4L), applied.batches().stream().map(RevisionBatch::revision).toList());
    assertEquals(4, machine.store().revision());
  }

  @Test
  void anEntryAppliedBeforeIsSkipped() {
    machine.put("k", "1");
    BatchId id = new BatchId(8, 9, 10);
    ByteString entry = EntryCodec.encode(id, List.of(new Command.Put(put("k", "2")).encoded()));
    for (long index = 0; index <= machine.index(); index++) {
      assertEquals(
          new AppliedEntry(id, List.of(), List.of(), 0, LeaseChanges.NONE, false),
          machine.commands().apply(1, index, entry));
    }
    machine.commands().advance(1, machine.index());
    assertEquals(2, machine.store().revision());
    assertEquals(new AppliedPosition(1, 0), machine.store().applied());
  }

  @Test
  void positionsAdvanceWithAndWithoutCommands() {
    assertEquals(AppliedPosition.INITIAL, machine.store().applied());
    machine.advance();
    assertEquals(new AppliedPosition(1, 0), machine.store().applied());
    machine.advance();
    machine.put("k", "1");
    assertEquals(new AppliedPosition(1, 2), machine.store().applied());
    machine.apply();
    assertEquals(new AppliedPosition(1, 3), machine.store().applied());
    machine.reopen();
    assertEquals(new AppliedPosition(1, 3), machine.store().applied());
    assertEquals(2, machine.store().revision());
  }

  @Test
  void anUnreadableEntryLeavesNoTrace() {
    machine.put("k", "1");
    ByteString entry =
        EntryCodec.encode(
            new BatchId(1, 2, 3),
            List.of(new Command.Put(put("k", "2")).encoded(), bytes("\u0009\0\0\0\0")));
    assertThrows(EntryFormatException.class, () -> machine.commands().apply(1, 1, entry));
    assertEquals(2, machine.store().revision());
    assertEquals(new AppliedPosition(1, 0), machine.store().applied());
  }

  @Test
  void commandsThatCameAroundTheEdgeDoNoHarm() {
    machine.put("k", "1");
    assertEquals(EtcdError.EMPTY_KEY, machine.refused(new Command.Put(put("", "1"))));
    assertEquals(EtcdError.EMPTY_KEY, machine.refused(new Command.DeleteRange(delete("", "\0"))));
    assertEquals(
        EtcdError.VALUE_PROVIDED,
        machine.refused(new Command.Put(put("k", "2").toBuilder().setIgnoreValue(true).build())));
    assertEquals(pair("k", "1", 2, 2, 1), get("k"));
  }
}
