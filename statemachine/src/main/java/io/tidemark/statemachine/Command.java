package io.tidemark.statemachine;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.AlarmMember;
import io.tidemark.api.etcdserverpb.AlarmRequest;
import io.tidemark.api.etcdserverpb.CompactionRequest;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.DowngradeInfo;
import io.tidemark.api.etcdserverpb.LeaseGrantRequest;
import io.tidemark.api.etcdserverpb.LeaseRevokeRequest;
import io.tidemark.api.etcdserverpb.Member;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.TxnRequest;
import io.tidemark.statemachine.auth.AuthChange;
import io.tidemark.statemachine.auth.Caller;
import io.tidemark.statemachine.lease.LeaseExpiry;
import io.tidemark.statemachine.lease.LeaseRenewals;
import io.tidemark.statemachine.member.MemberChange;

/**
 * A change that a client or a member asked for, as the log stores it.
 *
 * <p>Immutable. A command carries every fact that applying it needs, so that every member that
 * applies it to the same state gets the same outcome.
 */
public sealed interface Command {

  /** Kind, length and request, ready to be put into an entry by {@link EntryCodec#encode}. */
  ByteString encoded();

  /** Calls the one method of {@code cases} that belongs to this command. */
  <R> R on(Cases<R> cases);

  /** One method for each kind of command. */
  interface Cases<R> {
    R put(Put put);

    R deleteRange(DeleteRange deleteRange);

    R txn(Txn txn);

    R compact(Compact compact);

    R publishMember(PublishMember publish);

    R autoCompact(AutoCompact compact);

    R changeMembers(ChangeMembers change);

    R alarm(Alarm alarm);

    R raiseAlarm(RaiseAlarm alarm);

    R downgrade(Downgrade downgrade);

    R leaseGrant(LeaseGrant grant);

    R leaseRevoke(LeaseRevoke revoke);

    R renewLeases(RenewLeases renew);

    R expireLease(ExpireLease expire);

    R auth(Auth auth);

    R onBehalf(OnBehalf onBehalf);
  }

  /** Sets one key. */
  record Put(PutRequest request) implements Command {
    @Override
    public ByteString encoded() {
      return CommandCodec.encode(CommandCodec.PUT, request);
    }

    @Override
    public <R> R on(Cases<R> cases) {
      return cases.put(this);
    }
  }

  /** Deletes every key of a range. */
  record DeleteRange(DeleteRangeRequest request) implements Command {
    @Override
    public ByteString encoded() {
      return CommandCodec.encode(CommandCodec.DELETE_RANGE, request);
    }

    @Override
    public <R> R on(Cases<R> cases) {
      return cases.deleteRange(this);
    }
  }

  /** Compares, then runs one of two lists of operations in one revision. */
  record Txn(TxnRequest request) implements Command {
    @Override
    public ByteString encoded() {
      return CommandCodec.encode(CommandCodec.TXN, request);
    }

    @Override
    public <R> R on(Cases<R> cases) {
      return cases.txn(this);
    }
  }

  /** Gives up the history below a revision. */
  record Compact(CompactionRequest request) implements Command {
    @Override
    public ByteString encoded() {
      return CommandCodec.encode(CommandCodec.COMPACT, request);
    }

    @Override
    public <R> R on(Cases<R> cases) {
      return cases.compact(this);
    }
  }

  /**
   * The leader gives up the history below a revision, as it was configured to. Nobody's rights are
   * asked for.
   */
  record AutoCompact(CompactionRequest request) implements Command {
    @Override
    public ByteString encoded() {
      return CommandCodec.encode(CommandCodec.AUTO_COMPACT, request);
    }

    @Override
    public <R> R on(Cases<R> cases) {
      return cases.autoCompact(this);
    }
  }

  /**
   * A member that has started tells its name and its client URLs.
   *
   * @param member the id of a member of the table, its name and its client URLs; the other fields
   *     are not looked at
   */
  record PublishMember(Member member) implements Command {
    @Override
    public ByteString encoded() {
      return CommandCodec.encode(CommandCodec.PUBLISH_MEMBER, member);
    }

    @Override
    public <R> R on(Cases<R> cases) {
      return cases.publishMember(this);
    }
  }

  /** Adds, removes, changes or promotes a member. */
  record ChangeMembers(MemberChange change) implements Command {
    @Override
    public ByteString encoded() {
      return change.on(new MemberCommandCodec());
    }

    @Override
    public <R> R on(Cases<R> cases) {
      return cases.changeMembers(this);
    }
  }

  /** A member raises an alarm of its own accord. */
  record RaiseAlarm(AlarmMember alarm) implements Command {
    @Override
    public ByteString encoded() {
      return CommandCodec.encode(CommandCodec.RAISE_ALARM, alarm);
    }

    @Override
    public <R> R on(Cases<R> cases) {
      return cases.raiseAlarm(this);
    }
  }

  /** Lists, raises or takes back alarms. */
  record Alarm(AlarmRequest request) implements Command {
    @Override
    public ByteString encoded() {
      return CommandCodec.encode(CommandCodec.ALARM, request);
    }

    @Override
    public <R> R on(Cases<R> cases) {
      return cases.alarm(this);
    }
  }

  /**
   * Notes whether the cluster is to go back to an older version, and to which.
   *
   * @param info checked by the member that proposes it
   */
  record Downgrade(DowngradeInfo info) implements Command {
    @Override
    public ByteString encoded() {
      return CommandCodec.encode(CommandCodec.DOWNGRADE, info);
    }

    @Override
    public <R> R on(Cases<R> cases) {
      return cases.downgrade(this);
    }
  }

  /**
   * Makes a lease.
   *
   * @param request with the id and the TTL that the lease gets: the member that took the request
   *     has chosen the one and raised the other
   */
  record LeaseGrant(LeaseGrantRequest request) implements Command {
    @Override
    public ByteString encoded() {
      return CommandCodec.encode(CommandCodec.LEASE_GRANT, request);
    }

    @Override
    public <R> R on(Cases<R> cases) {
      return cases.leaseGrant(this);
    }
  }

  /** Ends a lease and deletes its keys in one revision. */
  record LeaseRevoke(LeaseRevokeRequest request) implements Command {
    @Override
    public ByteString encoded() {
      return CommandCodec.encode(CommandCodec.LEASE_REVOKE, request);
    }

    @Override
    public <R> R on(Cases<R> cases) {
      return cases.leaseRevoke(this);
    }
  }

  /** The leader tells its lease clock and who was renewed. */
  record RenewLeases(LeaseRenewals renewals) implements Command {
    @Override
    public ByteString encoded() {
      return CommandCodec.encode(CommandCodec.RENEW_LEASES, renewals.encode());
    }

    @Override
    public <R> R on(Cases<R> cases) {
      return cases.renewLeases(this);
    }
  }

  /** The leader finds that a lease is over. */
  record ExpireLease(LeaseExpiry expiry) implements Command {
    @Override
    public ByteString encoded() {
      return CommandCodec.encode(CommandCodec.EXPIRE_LEASE, expiry.encode());
    }

    @Override
    public <R> R on(Cases<R> cases) {
      return cases.expireLease(this);
    }
  }

  /** Changes users or roles. */
  record Auth(AuthChange change) implements Command {
    @Override
    public ByteString encoded() {
      return AuthCommandCodec.encode(change);
    }

    @Override
    public <R> R on(Cases<R> cases) {
      return cases.auth(this);
    }
  }

  /**
   * A command of somebody with credentials. What a client sends without credentials stands alone.
   *
   * @param caller who, and under which revision of users and roles that was found
   * @param command anything but another one on behalf
   */
  record OnBehalf(Caller caller, Command command) implements Command {
    public OnBehalf {
      if (command instanceof OnBehalf) {
        throw new IllegalArgumentException("on behalf of two");
      }
    }

    @Override
    public ByteString encoded() {
      return AuthCommandCodec.encode(caller, command.encoded());
    }

    @Override
    public <R> R on(Cases<R> cases) {
      return cases.onBehalf(this);
    }
  }
}
