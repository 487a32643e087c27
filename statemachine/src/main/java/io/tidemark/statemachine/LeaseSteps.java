package io.tidemark.statemachine;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.LeaseGrantResponse;
import io.tidemark.api.etcdserverpb.LeaseRevokeResponse;
import io.tidemark.api.etcdserverpb.ResponseHeader;
import io.tidemark.mvcc.EntryBatch;
import io.tidemark.mvcc.KeyRange;
import io.tidemark.statemachine.kv.KeySpace;
import io.tidemark.statemachine.lease.EntryLeases;
import io.tidemark.statemachine.lease.Lease;
import io.tidemark.statemachine.lease.LeaseExpiry;
import io.tidemark.statemachine.lease.LeaseRenewals;
import io.tidemark.statemachine.request.RequestShape;
import java.nio.ByteBuffer;
import java.util.List;

/** Carries out the commands that are about leases. Thread: apply. */
final class LeaseSteps {
  /** After so many keys further expiries of the entry have to wait for the next. */
  private static final int EXPIRED_KEYS_MAX = 2048;

  private final long term;
  private final EntryBatch batch;
  private final EntryLeases leases;
  private final KeySpace keys;
  private int expiredKeys;

  /**
   * Steps for one entry.
   *
   * @param term the entry's term
   */
  LeaseSteps(long term, EntryBatch batch, EntryLeases leases, KeySpace keys) {
    this.term = term;
    this.batch = batch;
    this.leases = leases;
    this.keys = keys;
  }

  Outcome grant(LeaseGrantRequest request) {
    EtcdError wrong = RequestShape.leaseGrant(request);
    if (wrong != null) {
      return new Outcome.Rejected(wrong);
    }
    long id = request.getID();
    if (id == 0) {
      return new Outcome.Rejected(EtcdError.LEASE_NOT_FOUND);
    }
    if (leases.exists(id)) {
      return new Outcome.Rejected(EtcdError.LEASE_EXIST);
    }
    // Past the edge, only a command that no member of ours proposes has none.
    long ttl = Math.max(1, request.getTTL());
    leases.grant(id, ttl);
    return done(
        LeaseGrantResponse.newBuilder()
            .setHeader(header())
            .setID(id)
            .setTTL(ttl)
            .build()
            .toByteString());
  }

  Outcome revoke(long id) {
    if (!leases.exists(id)) {
      return new Outcome.Rejected(EtcdError.LEASE_NOT_FOUND);
    }
    end(id, false);
    return done(LeaseRevokeResponse.newBuilder().setHeader(header()).build().toByteString());
  }

  /** The response holds the granted TTL of each renewed lease, 8 bytes each; 0 for no lease. */
  Outcome renew(LeaseRenewals renewals) {
    if (renewals.term() != term) {
      return new Outcome.Rejected(EtcdError.LEADER_CHANGED);
    }
    leases.advanceClock(renewals.clock());
    ByteBuffer granted = ByteBuffer.allocate(renewals.renewals().size() * Long.BYTES);
    for (LeaseRenewals.Renewal renewal : renewals.renewals()) {
      Lease lease = leases.renew(renewal.id(), renewal.at());
      granted.putLong(lease == null ? 0 : lease.ttlSeconds());
    }
    return done(UnsafeByteOperations.unsafeWrap(granted.array()));
  }

  /** Refused with "too many requests" when the entry has deleted enough for one turn. */
  Outcome expire(LeaseExpiry expiry) {
    if (expiry.term() != term) {
      return new Outcome.Rejected(EtcdError.LEADER_CHANGED);
    }
    leases.advanceClock(expiry.clock());
    Lease lease = leases.find(expiry.id());
    if (lease == null || !expiry.holdsFor(lease)) {
      return new Outcome.Rejected(EtcdError.LEASE_NOT_FOUND);
    }
    if (expiredKeys >= EXPIRED_KEYS_MAX) {
      return new Outcome.Rejected(EtcdError.TOO_MANY_REQUESTS);
    }
    expiredKeys += end(expiry.id(), true);
    return done(ByteString.EMPTY);
  }

  /** Gives the number of deleted keys. */
  @CanIgnoreReturnValue
  private int end(long id, boolean byExpiry) {
    List<ByteString> attached = leases.keys(id);
    batch.prefetch(attached);
    for (ByteString key : attached) {
      batch.deleteRange(new KeyRange(key, ByteString.EMPTY));
      leases.moved(key, id, 0);
    }
    leases.end(id, byExpiry);
    return attached.size();
  }

  private Outcome done(ByteString response) {
    return new Outcome.Done(response, keys.revision());
  }

  private ResponseHeader header() {
    return ResponseHeader.newBuilder().setRevision(keys.revision()).build();
  }
}
