package io.tidemark.statemachine.testing;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.CompactionResponse;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.LeaseGrantResponse;
import io.tidemark.api.etcdserverpb.LeaseRevokeResponse;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RangeResponse;
import io.tidemark.api.etcdserverpb.ResponseHeader;
import io.tidemark.api.etcdserverpb.TxnRequest;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.mvcc.Change;
import io.tidemark.statemachine.Command;
import io.tidemark.statemachine.Outcome;
import io.tidemark.statemachine.lease.LeaseExpiry;
import io.tidemark.statemachine.lease.LeaseRenewals;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the store and the machine together must do, in the plainest way: a whole sorted map for each
 * revision.
 */
public final class ReferenceStore implements Command.Cases<Outcome> {
  /** The term that every entry has. */
  public static final long TERM = 1;

  /** All pairs after each revision; revision 1 is the empty store. */
  final TreeMap<Long, NavigableMap<ByteString, KeyValue>> states = new TreeMap<>();

  private final TreeMap<Long, List<Change>> events = new TreeMap<>();
  private final Map<Long, Lease> leases = new TreeMap<>();
  private long leaseClock;
  private long compactRevision = -1;

  public ReferenceStore() {
    states.put(1L, emptyState());
  }

  static NavigableMap<ByteString, KeyValue> emptyState() {
    return new TreeMap<>(ByteString.unsignedLexicographicalComparator());
  }

  public long revision() {
    return states.lastKey();
  }

  public long compactRevision() {
    return compactRevision;
  }

  /** The changes of each revision after {@code revision}. */
  public SortedMap<Long, List<Change>> eventsAfter(long revision) {
    return new TreeMap<>(events.tailMap(revision, false));
  }

  /** Applies one command. */
  public Outcome apply(Command command) {
    return command.on(this);
  }

  @Override
  public Outcome put(Command.Put command) {
    PutRequest request = command.request();
    EtcdError shape = ReferenceTxn.shape(request);
    if (shape != null) {
      return new Outcome.Rejected(shape);
    }
    if (!mayAttach(request.getLease())) {
      return new Outcome.Rejected(EtcdError.LEASE_NOT_FOUND);
    }
    ReferenceTxn txn = new ReferenceTxn(this);
    if (txn.keepsMissing(request)) {
      return new Outcome.Rejected(EtcdError.KEY_NOT_FOUND);
    }
    MessageLite response = txn.put(request);
    return done(txn, response);
  }

  @Override
  public Outcome deleteRange(Command.DeleteRange command) {
    DeleteRangeRequest request = command.request();
    if (request.getKey().isEmpty()) {
      return new Outcome.Rejected(EtcdError.EMPTY_KEY);
    }
    ReferenceTxn txn = new ReferenceTxn(this);
    MessageLite response = txn.delete(request);
    return done(txn, response);
  }

  @Override
  public Outcome txn(Command.Txn command) {
    TxnRequest request = command.request();
    ReferenceTxn txn = new ReferenceTxn(this);
    EtcdError refusal = txn.refusal(request);
    if (refusal != null) {
      return new Outcome.Rejected(refusal);
    }
    MessageLite response = txn.run(request, true);
    return done(txn, response);
  }

  @Override
  public Outcome compact(Command.Compact command) {
    long revision = command.request().getRevision();
    if (revision <= compactRevision) {
      return new Outcome.Rejected(EtcdError.COMPACTED);
    }
    if (revision > revision()) {
      return new Outcome.Rejected(EtcdError.FUTURE_REV);
    }
    compactRevision = revision;
    CompactionResponse response =
        CompactionResponse.newBuilder().setHeader(header(revision())).build();
    return new Outcome.Done(response.toByteString(), revision());
  }

  @Override
  public Outcome autoCompact(Command.AutoCompact command) {
    return compact(new Command.Compact(command.request()));
  }

  @Override
  public Outcome publishMember(Command.PublishMember publish) {
    return new Outcome.Rejected(EtcdError.MEMBER_NOT_FOUND);
  }

  /** Members are no part of this model: see MemberChangeTest. */
  @Override
  public Outcome changeMembers(Command.ChangeMembers change) {
    throw new UnsupportedOperationException();
  }

  /** Alarms are no part of this model: see AlarmTest. */
  @Override
  public Outcome alarm(Command.Alarm alarm) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Outcome raiseAlarm(Command.RaiseAlarm alarm) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Outcome downgrade(Command.Downgrade downgrade) {
    throw new UnsupportedOperationException();
  }

  /** Users and roles are no part of this model: see AuthTest. */
  @Override
  public Outcome auth(Command.Auth auth) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Outcome onBehalf(Command.OnBehalf onBehalf) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Outcome leaseGrant(Command.LeaseGrant command) {
    LeaseGrantRequest request = command.request();
    if (request.getTTL() > 9_000_000_000L) {
      return new Outcome.Rejected(EtcdError.LEASE_TTL_TOO_LARGE);
    }
    if (request.getID() == 0) {
      return new Outcome.Rejected(EtcdError.LEASE_NOT_FOUND);
    }
    if (leases.containsKey(request.getID())) {
      return new Outcome.Rejected(EtcdError.LEASE_EXIST);
    }
    leases.put(request.getID(), new Lease(request.getTTL(), -1));
    LeaseGrantResponse response =
        LeaseGrantResponse.newBuilder()
            .setHeader(header(revision()))
            .setID(request.getID())
            .setTTL(request.getTTL())
            .build();
    return new Outcome.Done(response.toByteString(), revision());
  }

  @Override
  public Outcome leaseRevoke(Command.LeaseRevoke command) {
    if (leases.remove(command.request().getID()) == null) {
      return new Outcome.Rejected(EtcdError.LEASE_NOT_FOUND);
    }
    deleteKeysOf(command.request().getID());
    LeaseRevokeResponse response =
        LeaseRevokeResponse.newBuilder().setHeader(header(revision())).build();
    return new Outcome.Done(response.toByteString(), revision());
  }

  @Override
  public Outcome renewLeases(Command.RenewLeases command) {
    if (command.renewals().term() != TERM) {
      return new Outcome.Rejected(EtcdError.LEADER_CHANGED);
    }
    leaseClock = Math.max(leaseClock, command.renewals().clock());
    ByteString ttls = ByteString.EMPTY;
    for (LeaseRenewals.Renewal renewal : command.renewals().renewals()) {
      Lease lease = leases.get(renewal.id());
      long ttl = 0;
      if (lease != null) {
        ttl = lease.ttl();
        leases.put(renewal.id(), new Lease(ttl, Math.max(lease.renewedAt(), renewal.at())));
      }
      ttls = ttls.concat(ByteString.copyFrom(ByteBuffer.allocate(8).putLong(0, ttl)));
    }
    return new Outcome.Done(ttls, revision());
  }

  @Override
  public Outcome expireLease(Command.ExpireLease command) {
    LeaseExpiry expiry = command.expiry();
    if (expiry.term() != TERM) {
      return new Outcome.Rejected(EtcdError.LEADER_CHANGED);
    }
    leaseClock = Math.max(leaseClock, expiry.clock());
    Lease lease = leases.get(expiry.id());
    boolean over =
        lease != null
            && lease.renewedAt() >= 0
            && lease.renewedAt() == expiry.renewedAt()
            && lease.renewedAt() + lease.ttl() * 1000 <= expiry.clock();
    if (!over) {
      return new Outcome.Rejected(EtcdError.LEASE_NOT_FOUND);
    }
    leases.remove(expiry.id());
    deleteKeysOf(expiry.id());
    return new Outcome.Done(ByteString.EMPTY, revision());
  }

  private void deleteKeysOf(long lease) {
    ReferenceTxn txn = new ReferenceTxn(this);
    for (KeyValue pair : state(revision()).values()) {
      if (pair.getLease() == lease) {
        txn.delete(DeleteRangeRequest.newBuilder().setKey(pair.getKey()).build());
      }
    }
    done(txn, DeleteRangeRequest.getDefaultInstance());
  }

  boolean mayAttach(long lease) {
    return lease == 0 || leases.containsKey(lease);
  }

  /** Every lease by id. */
  public Map<Long, Lease> leases() {
    return leases;
  }

  /** The keys that a lease holds, ascending. */
  public List<ByteString> leaseKeys(long lease) {
    return state(revision()).values().stream()
        .filter(pair -> pair.getLease() == lease)
        .map(KeyValue::getKey)
        .toList();
  }

  /** The newest lease clock. */
  public long leaseClock() {
    return leaseClock;
  }

  /** TTL in seconds and the last logged renewal, -1 for none. */
  public record Lease(long ttl, long renewedAt) {}

  /** A range on its own, outside any transaction: an error or a response. */
  public Outcome range(RangeRequest request) {
    long revision = request.getRevision() <= 0 ? revision() : request.getRevision();
    if (revision > revision()) {
      return new Outcome.Rejected(EtcdError.FUTURE_REV);
    }
    if (revision < compactRevision) {
      return new Outcome.Rejected(EtcdError.COMPACTED);
    }
    RangeResponse response = ReferenceRange.answer(request, state(revision), revision());
    return new Outcome.Done(response.toByteString(), revision());
  }

  /** The pairs at a revision; revision 0 is as empty as revision 1. */
  NavigableMap<ByteString, KeyValue> state(long revision) {
    @Nullable NavigableMap<ByteString, KeyValue> state = states.get(Math.max(1, revision));
    if (state == null) {
      throw new AssertionError("no revision " + revision);
    }
    return state;
  }

  private Outcome done(ReferenceTxn txn, MessageLite response) {
    if (!txn.changes().isEmpty()) {
      long revision = revision() + 1;
      states.put(revision, txn.pairs());
      events.put(revision, new ArrayList<>(txn.changes()));
    }
    return new Outcome.Done(response.toByteString(), revision());
  }

  static ResponseHeader header(long revision) {
    return ResponseHeader.newBuilder().setRevision(revision).build();
  }
}
