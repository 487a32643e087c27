package io.tidemark.statemachine;

import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.AlarmType;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.TxnRequest;
import io.tidemark.statemachine.alarm.Alarms;
import java.util.List;
import java.util.Optional;

/**
 * Which commands the raised alarms forbid, whoever sends them (contract section 4). Gives the
 * reason, or nothing.
 */
record AlarmRefusals(Alarms alarms) implements Command.Cases<Optional<EtcdError>> {
  @Override
  public Optional<EtcdError> put(Command.Put put) {
    return growing();
  }

  @Override
  public Optional<EtcdError> deleteRange(Command.DeleteRange deleteRange) {
    return changing();
  }

  @Override
  public Optional<EtcdError> txn(Command.Txn txn) {
    return puts(txn.request()) ? growing() : changing();
  }

  @Override
  public Optional<EtcdError> compact(Command.Compact compact) {
    return changing();
  }

  @Override
  public Optional<EtcdError> autoCompact(Command.AutoCompact compact) {
    return changing();
  }

  @Override
  public Optional<EtcdError> changeMembers(Command.ChangeMembers change) {
    return Optional.empty();
  }

  @Override
  public Optional<EtcdError> publishMember(Command.PublishMember publish) {
    return Optional.empty();
  }

  @Override
  public Optional<EtcdError> alarm(Command.Alarm alarm) {
    return Optional.empty();
  }

  @Override
  public Optional<EtcdError> raiseAlarm(Command.RaiseAlarm alarm) {
    return Optional.empty();
  }

  @Override
  public Optional<EtcdError> downgrade(Command.Downgrade downgrade) {
    return Optional.empty();
  }

  @Override
  public Optional<EtcdError> leaseGrant(Command.LeaseGrant grant) {
    return growing();
  }

  @Override
  public Optional<EtcdError> leaseRevoke(Command.LeaseRevoke revoke) {
    return changing();
  }

  @Override
  public Optional<EtcdError> renewLeases(Command.RenewLeases renew) {
    return Optional.empty();
  }

  @Override
  public Optional<EtcdError> expireLease(Command.ExpireLease expire) {
    return changing();
  }

  @Override
  public Optional<EtcdError> auth(Command.Auth auth) {
    return Optional.empty();
  }

  @Override
  public Optional<EtcdError> onBehalf(Command.OnBehalf onBehalf) {
    return onBehalf.command().on(this);
  }

  /** What changes keys. */
  private Optional<EtcdError> changing() {
    return alarms.raised(AlarmType.CORRUPT) ? Optional.of(EtcdError.CORRUPT) : Optional.empty();
  }

  /** What needs more room. */
  private Optional<EtcdError> growing() {
    Optional<EtcdError> corrupt = changing();
    return corrupt.isEmpty() && alarms.raised(AlarmType.NOSPACE)
        ? Optional.of(EtcdError.NO_SPACE)
        : corrupt;
  }

  private static boolean puts(TxnRequest request) {
    return puts(request.getSuccessList()) || puts(request.getFailureList());
  }

  private static boolean puts(List<RequestOp> operations) {
    return operations.stream()
        .anyMatch(
            operation ->
                switch (operation.getRequestCase()) {
                  case REQUEST_PUT -> true;
                  case REQUEST_TXN -> puts(operation.getRequestTxn());
                  case REQUEST_RANGE, REQUEST_DELETE_RANGE, REQUEST_NOT_SET -> false;
                });
  }
}
