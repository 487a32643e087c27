package io.tidemark.ctl.bench;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.Compare;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.LeaseRevokeRequest;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.TxnRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** The operations of the closed loops. */
final class Operations {
  static final String CONFLICTS = "conflicts";

  private Operations() {}

  /** A put of a random key. */
  static final class Put implements Operation {
    private final KeySpace keys;
    private final SplittableRandom random;

    Put(KeySpace keys, SplittableRandom random) {
      this.keys = keys;
      this.random = random;
    }

    @Override
    public Step first() {
      PutRequest request =
          PutRequest.newBuilder()
              .setKey(keys.randomKey(random))
              .setValue(keys.randomValue(random))
              .build();
      return new Step(RawMethods.PUT, request);
    }

    @Override
    public @Nullable Step after(byte[] answer) {
      return null;
    }
  }

  /** A read from a random key on. */
  static final class Range implements Operation {
    private final KeySpace keys;
    private final SplittableRandom random;
    private final Load.Range load;
    private final ByteString end;

    Range(KeySpace keys, SplittableRandom random, Load.Range load) {
      this.keys = keys;
      this.random = random;
      this.load = load;
      this.end = load.limit() == 0 ? ByteString.EMPTY : keys.prefixEnd();
    }

    @Override
    public Step first() {
      RangeRequest request =
          RangeRequest.newBuilder()
              .setKey(keys.randomKey(random))
              .setRangeEnd(end)
              .setLimit(load.limit())
              .setSerializable(load.serializable())
              .build();
      return new Step(RawMethods.RANGE, request);
    }

    @Override
    public @Nullable Step after(byte[] answer) {
      return null;
    }
  }

  /** A read, then a put guarded by the mod revision that was read. */
  static final class Txn implements Operation {
    private final KeySpace keys;
    private final SplittableRandom random;
    private final boolean serializable;
    private final Tally tally;
    private ByteString key = ByteString.EMPTY;
    private boolean reading;

    Txn(KeySpace keys, SplittableRandom random, boolean serializable, Tally tally) {
      this.keys = keys;
      this.random = random;
      this.serializable = serializable;
      this.tally = tally;
    }

    @Override
    public Step first() {
      key = keys.randomKey(random);
      reading = true;
      return new Step(
          RawMethods.RANGE_READ,
          RangeRequest.newBuilder().setKey(key).setSerializable(serializable).build());
    }

    @Override
    public @Nullable Step after(byte[] answer) {
      try {
        if (reading) {
          reading = false;
          return new Step(RawMethods.TXN, guardedPut(AnswerScan.firstModRevision(answer)));
        }
        if (!AnswerScan.txnSucceeded(answer)) {
          tally.note(CONFLICTS);
        }
        return null;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private TxnRequest guardedPut(long modRevision) {
      PutRequest put =
          PutRequest.newBuilder().setKey(key).setValue(keys.randomValue(random)).build();
      return TxnRequest.newBuilder()
          .addCompare(
              Compare.newBuilder()
                  .setKey(key)
                  .setTarget(Compare.CompareTarget.MOD)
                  .setResult(Compare.CompareResult.EQUAL)
                  .setModRevision(modRevision))
          .addSuccess(RequestOp.newBuilder().setRequestPut(put))
          .build();
    }
  }

  /** A lease granted, a random key put under it, the lease revoked. */
  static final class LeaseChurn implements Operation {
    private static final long TTL_SECONDS = 600;

    private final KeySpace keys;
    private final SplittableRandom random;
    private long lease;
    private int answers;

    LeaseChurn(KeySpace keys, SplittableRandom random) {
      this.keys = keys;
      this.random = random;
    }

    @Override
    public Step first() {
      answers = 0;
      // Not the seed's: a run that was cut short has left some of those.
      lease = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
      return new Step(
          RawMethods.LEASE_GRANT,
          LeaseGrantRequest.newBuilder().setID(lease).setTTL(TTL_SECONDS).build());
    }

    @Override
    public @Nullable Step after(byte[] answer) {
      return switch (answers++) {
        case 0 ->
            new Step(
                RawMethods.PUT,
                PutRequest.newBuilder()
                    .setKey(keys.randomKey(random))
                    .setValue(keys.randomValue(random))
                    .setLease(lease)
                    .build());
        case 1 ->
            new Step(RawMethods.LEASE_REVOKE, LeaseRevokeRequest.newBuilder().setID(lease).build());
        default -> null;
      };
    }
  }
}
