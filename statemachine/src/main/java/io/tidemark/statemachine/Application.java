package io.tidemark.statemachine;

import com.google.protobuf.ByteString;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.AlarmResponse;
import io.tidemark.api.etcdserverpb.DowngradeInfo;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.mvcc.EntryBatch;
import io.tidemark.mvcc.Table;
import io.tidemark.statemachine.alarm.AlarmSteps;
import io.tidemark.statemachine.auth.AuthSteps;
import io.tidemark.statemachine.auth.Caller;
import io.tidemark.statemachine.auth.Permissions;
import io.tidemark.statemachine.kv.KeySpace;
import io.tidemark.statemachine.kv.PathCheck;
import io.tidemark.statemachine.kv.ResponseBytes;
import io.tidemark.statemachine.kv.TxnPlan;
import io.tidemark.statemachine.lease.EntryLeases;
import io.tidemark.statemachine.member.MemberSteps;
import io.tidemark.statemachine.read.DowngradeRow;
import io.tidemark.statemachine.request.RequestShape;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Applies the commands of one entry, each as a whole or not at all.
 *
 * <p>A command is checked completely before it writes: nothing can be taken back within an entry.
 * Thread: apply.
 */
final class Application implements Command.Cases<Outcome> {
  private final EntryBatch batch;
  private final KeySpace keys;
  private final EntryLeases leases;
  private final LeaseSteps leaseSteps;
  private final AuthSteps auth;
  private final AlarmSteps alarms;
  private final MemberSteps members;
  private final WriteSteps steps;
  private long compactRevision;
  private @Nullable DowngradeInfo downgrade;

  Application(long term, EntryBatch batch, EntryLeases leases, AuthSteps auth, AlarmSteps alarms) {
    this.batch = batch;
    this.keys = new EntryKeys(batch);
    this.leases = leases;
    this.leaseSteps = new LeaseSteps(term, batch, leases, keys);
    this.auth = auth;
    this.alarms = alarms;
    this.members = new MemberSteps(batch);
    this.steps = new WriteSteps(batch, keys, leases);
  }

  /** Applies one command and seals its revision. */
  Outcome apply(Command command) {
    Outcome outcome = applyAs(Caller.ANONYMOUS, command);
    batch.finishCommand();
    return outcome;
  }

  /** What somebody may not do changes nothing, whatever else is wrong with it. */
  private Outcome applyAs(Caller caller, Command command) {
    if (auth.state().enabled()) {
      Optional<EtcdError> denied =
          command.on(new CommandRights(new Permissions(auth.state(), caller, leases::keys)));
      if (denied.isPresent()) {
        return rejected(denied.get());
      }
    }
    if (!alarms.alarms().all().isEmpty()) {
      Optional<EtcdError> forbidden = command.on(new AlarmRefusals(alarms.alarms()));
      if (forbidden.isPresent()) {
        return rejected(forbidden.get());
      }
    }
    return command.on(this);
  }

  /** The compact revision that a command of this entry has set, or 0. */
  long compactRevision() {
    return compactRevision;
  }

  /** What a command of this entry has set as the wish to go back to an older version. */
  Optional<DowngradeInfo> downgrade() {
    return Optional.ofNullable(downgrade);
  }

  /** What the commands so far did to the members. */
  MemberSteps members() {
    return members;
  }

  @Override
  public Outcome put(Command.Put command) {
    PutRequest request = command.request();
    EtcdError refusal = putRefusal(request);
    return refusal != null ? rejected(refusal) : done(steps.putResponse(request));
  }

  @Override
  public Outcome deleteRange(Command.DeleteRange command) {
    EtcdError refusal = RequestShape.deleteRange(command.request());
    return refusal != null ? rejected(refusal) : done(steps.deleteRangeResponse(command.request()));
  }

  @Override
  public Outcome txn(Command.Txn command) {
    EtcdError wrong = RequestShape.txn(command.request());
    if (wrong != null) {
      return rejected(wrong);
    }
    TxnPlan plan = TxnPlan.of(command.request(), keys);
    EtcdError refusal = PathCheck.refusal(plan, keys, leases::exists);
    if (refusal != null) {
      return rejected(refusal);
    }
    List<ByteString> operations = plan.run(steps);
    return done(ResponseBytes.txn(keys.revision(), plan.succeeded(), operations));
  }

  @Override
  public Outcome compact(Command.Compact command) {
    return compact(command.request().getRevision());
  }

  @Override
  public Outcome autoCompact(Command.AutoCompact command) {
    return compact(command.request().getRevision());
  }

  private Outcome compact(long revision) {
    if (revision <= batch.compactRevision()) {
      return rejected(EtcdError.COMPACTED);
    }
    if (revision > batch.revision()) {
      return rejected(EtcdError.FUTURE_REV);
    }
    batch.compact(revision);
    compactRevision = revision;
    return done(ResponseBytes.headerOnly(keys.revision()));
  }

  @Override
  public Outcome publishMember(Command.PublishMember command) {
    return members
        .publish(command.member())
        .map(Application::rejected)
        .orElseGet(() -> done(ByteString.EMPTY));
  }

  @Override
  public Outcome changeMembers(Command.ChangeMembers command) {
    return command
        .change()
        .on(members)
        .map(Application::rejected)
        .orElseGet(() -> done(command.change().on(new MemberResponses(members.members()))));
  }

  @Override
  public Outcome auth(Command.Auth command) {
    return command
        .change()
        .on(auth)
        .map(Application::rejected)
        .orElseGet(() -> done(AuthResponses.of(command.change(), keys.revision(), auth.token())));
  }

  @Override
  public Outcome onBehalf(Command.OnBehalf command) {
    return applyAs(command.caller(), command.command());
  }

  @Override
  public Outcome alarm(Command.Alarm command) {
    AlarmResponse listed =
        AlarmResponse.newBuilder().addAllAlarms(alarms.run(command.request())).build();
    return done(ResponseBytes.headerOnly(keys.revision()).concat(listed.toByteString()));
  }

  @Override
  public Outcome raiseAlarm(Command.RaiseAlarm command) {
    alarms.raise(command.alarm());
    return done(ByteString.EMPTY);
  }

  @Override
  public Outcome downgrade(Command.Downgrade command) {
    batch.tablePut(Table.META, DowngradeRow.KEY, command.info().toByteString());
    downgrade = command.info();
    return done(ResponseBytes.headerOnly(keys.revision()));
  }

  @Override
  public Outcome leaseGrant(Command.LeaseGrant command) {
    return leaseSteps.grant(command.request());
  }

  @Override
  public Outcome leaseRevoke(Command.LeaseRevoke command) {
    return leaseSteps.revoke(command.request().getID());
  }

  @Override
  public Outcome renewLeases(Command.RenewLeases command) {
    return leaseSteps.renew(command.renewals());
  }

  @Override
  public Outcome expireLease(Command.ExpireLease command) {
    return leaseSteps.expire(command.expiry());
  }

  private @Nullable EtcdError putRefusal(PutRequest request) {
    EtcdError wrong = RequestShape.put(request);
    if (wrong != null) {
      return wrong;
    }
    if (request.getLease() != 0 && !leases.exists(request.getLease())) {
      return EtcdError.LEASE_NOT_FOUND;
    }
    boolean keeps = request.getIgnoreValue() || request.getIgnoreLease();
    return keeps && batch.get(request.getKey()) == null ? EtcdError.KEY_NOT_FOUND : null;
  }

  private Outcome done(ByteString response) {
    return new Outcome.Done(response, keys.revision());
  }

  private static Outcome rejected(EtcdError error) {
    return new Outcome.Rejected(error);
  }
}
