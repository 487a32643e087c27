package io.tidemark.statemachine.testing;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.Compare;
import io.tidemark.api.etcdserverpb.Compare.CompareResult;
import io.tidemark.api.etcdserverpb.Compare.CompareTarget;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.LeaseRevokeRequest;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RangeRequest.SortOrder;
import io.tidemark.api.etcdserverpb.RangeRequest.SortTarget;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.TxnRequest;
import io.tidemark.statemachine.Command;
import io.tidemark.statemachine.lease.LeaseExpiry;
import io.tidemark.statemachine.lease.LeaseRenewals;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Random commands over few keys and low revisions, so that they meet often. */
public final class CommandArbitraries {
  private CommandArbitraries() {}

  /** A command of any kind that clients send. */
  public static Arbitrary<Command> commands() {
    return Arbitraries.frequencyOf(
        tuple(5, puts().map(Command.Put::new)),
        tuple(2, deletes().map(Command.DeleteRange::new)),
        tuple(6, txns(2).map(Command.Txn::new)),
        tuple(
            1,
            Arbitraries.longs()
                .between(-2, 20)
                .map(revision -> new Command.Compact(Requests.compact(revision)))),
        tuple(2, grants()),
        tuple(1, revokes()),
        tuple(2, renewals()),
        tuple(2, expiries()));
  }

  /** Few ids, so that commands meet; negative ones are as good as others. */
  static Arbitrary<Long> leases() {
    return Arbitraries.of(7L, 8L, -9L);
  }

  private static Arbitrary<Command> grants() {
    return Combinators.combine(
            Arbitraries.of(7L, 8L, -9L, 0L), Arbitraries.of(1L, 2L, 9_000_000_001L))
        .as(
            (id, ttl) ->
                new Command.LeaseGrant(
                    LeaseGrantRequest.newBuilder().setID(id).setTTL(ttl).build()));
  }

  private static Arbitrary<Command> revokes() {
    return leases()
        .map(id -> new Command.LeaseRevoke(LeaseRevokeRequest.newBuilder().setID(id).build()));
  }

  /** A clock that may be older than one before, as that of an old leader is. */
  private static Arbitrary<Long> clocks() {
    return Arbitraries.longs().between(0, 9).map(half -> half * 500);
  }

  private static Arbitrary<Long> terms() {
    return Arbitraries.frequency(Tuple.of(9, ReferenceStore.TERM), Tuple.of(1, 2L));
  }

  private static Arbitrary<Command> renewals() {
    Arbitrary<LeaseRenewals.Renewal> renewal =
        Combinators.combine(leases(), clocks()).as(LeaseRenewals.Renewal::new);
    return Combinators.combine(terms(), clocks(), renewal.list().ofMaxSize(3))
        .as(LeaseRenewals::new)
        .map(Command.RenewLeases::new);
  }

  private static Arbitrary<Command> expiries() {
    return Combinators.combine(terms(), clocks(), leases(), clocks())
        .as(LeaseExpiry::new)
        .map(Command.ExpireLease::new);
  }

  private static Tuple.Tuple2<Integer, Arbitrary<? extends Command>> tuple(
      int weight, Arbitrary<? extends Command> commands) {
    return Tuple.of(weight, commands);
  }

  static Arbitrary<ByteString> keys() {
    return Arbitraries.of("a", "b", "b\0", "c", "d", "e", "\u00ff").map(Requests::bytes);
  }

  static Arbitrary<ByteString> ends() {
    return Arbitraries.frequencyOf(
        Tuple.of(4, Arbitraries.just(ByteString.EMPTY)),
        Tuple.of(2, keys()),
        Tuple.of(2, Arbitraries.just(Requests.bytes(Requests.OPEN))));
  }

  static Arbitrary<ByteString> values() {
    return Arbitraries.of("", "1", "2", "\u00e9").map(Requests::bytes);
  }

  static Arbitrary<Boolean> rarely(int oneIn) {
    return Arbitraries.integers().between(1, oneIn).map(number -> number == oneIn);
  }

  static Arbitrary<Long> revisions() {
    return Arbitraries.frequencyOf(
        Tuple.of(6, Arbitraries.just(0L)), Tuple.of(4, Arbitraries.longs().between(-3, 24)));
  }

  static Arbitrary<PutRequest> puts() {
    return Combinators.combine(
            keys(), values(), rarely(6), rarely(6), rarely(2), rarely(3), leases())
        .as(
            (key, value, ignoreValue, ignoreLease, previous, leased, lease) ->
                PutRequest.newBuilder()
                    .setKey(key)
                    .setValue(ignoreValue ? ByteString.EMPTY : value)
                    .setIgnoreValue(ignoreValue)
                    .setIgnoreLease(ignoreLease)
                    .setPrevKv(previous)
                    .setLease(leased ? lease : 0)
                    .build());
  }

  static Arbitrary<DeleteRangeRequest> deletes() {
    return Combinators.combine(keys(), ends(), rarely(2))
        .as(
            (key, end, previous) ->
                DeleteRangeRequest.newBuilder()
                    .setKey(key)
                    .setRangeEnd(end)
                    .setPrevKv(previous)
                    .build());
  }

  /** A range with any option. */
  public static Arbitrary<RangeRequest> ranges() {
    Arbitrary<RangeRequest> plain =
        Combinators.combine(keys(), ends(), revisions(), Arbitraries.longs().between(-1, 4))
            .as(
                (key, end, revision, limit) ->
                    RangeRequest.newBuilder()
                        .setKey(key)
                        .setRangeEnd(end)
                        .setRevision(revision)
                        .setLimit(limit)
                        .build());
    Arbitrary<SortOrder> orders =
        Arbitraries.of(SortOrder.NONE, SortOrder.ASCEND, SortOrder.DESCEND);
    Arbitrary<SortTarget> targets =
        Arbitraries.of(
            SortTarget.KEY,
            SortTarget.VERSION,
            SortTarget.CREATE,
            SortTarget.MOD,
            SortTarget.VALUE);
    return Combinators.combine(
            plain, orders, targets, rarely(4), rarely(6), bounds(), bounds(), bounds())
        .as(
            (range, order, target, keysOnly, countOnly, minMod, maxMod, maxCreate) ->
                range.toBuilder()
                    .setSortOrder(order)
                    .setSortTarget(target)
                    .setKeysOnly(keysOnly)
                    .setCountOnly(countOnly)
                    .setMinModRevision(minMod)
                    .setMaxModRevision(maxMod)
                    .setMaxCreateRevision(maxCreate)
                    .build());
  }

  private static Arbitrary<Long> bounds() {
    return Arbitraries.frequencyOf(
        Tuple.of(6, Arbitraries.just(0L)), Tuple.of(1, Arbitraries.longs().between(1, 15)));
  }

  static Arbitrary<Compare> compares() {
    Arbitrary<CompareTarget> targets =
        Arbitraries.of(
            CompareTarget.VERSION,
            CompareTarget.CREATE,
            CompareTarget.MOD,
            CompareTarget.VALUE,
            CompareTarget.LEASE);
    Arbitrary<CompareResult> results =
        Arbitraries.of(
            CompareResult.EQUAL,
            CompareResult.GREATER,
            CompareResult.LESS,
            CompareResult.NOT_EQUAL);
    return Combinators.combine(
            keys(), ends(), targets, results, Arbitraries.longs().between(0, 4), values())
        .as(
            (key, end, target, result, number, value) ->
                operand(
                    Compare.newBuilder()
                        .setKey(key)
                        .setRangeEnd(end)
                        .setTarget(target)
                        .setResult(result),
                    number,
                    value));
  }

  private static Compare operand(Compare.Builder compare, long number, ByteString value) {
    return switch (compare.getTarget()) {
      case VERSION -> compare.setVersion(number).build();
      case CREATE -> compare.setCreateRevision(number).build();
      case MOD -> compare.setModRevision(number * 3).build();
      case VALUE -> compare.setValue(value).build();
      case LEASE -> compare.setLease(number / 3).build();
      case UNRECOGNIZED -> throw new AssertionError("not generated");
    };
  }

  /** A transaction that nests at most {@code depth} levels deep. */
  public static Arbitrary<TxnRequest> txns(int depth) {
    return Combinators.combine(
            compares().list().ofMaxSize(2),
            operations(depth).list().ofMaxSize(3),
            operations(depth).list().ofMaxSize(3))
        .as(Requests::txn);
  }

  private static Arbitrary<RequestOp> operations(int depth) {
    Arbitrary<RequestOp> puts = puts().map(Requests::op);
    Arbitrary<RequestOp> deletes = deletes().map(Requests::op);
    Arbitrary<RequestOp> ranges = ranges().map(Requests::op);
    if (depth == 0) {
      return Arbitraries.oneOf(puts, deletes, ranges);
    }
    return Arbitraries.frequencyOf(
        Tuple.of(4, puts),
        Tuple.of(2, deletes),
        Tuple.of(2, ranges),
        Tuple.of(2, txns(depth - 1).map(Requests::op)));
  }
}
