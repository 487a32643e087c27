package io.tidemark.statemachine;

import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.AlarmRequest;
import io.tidemark.statemachine.auth.AuthChange;
import io.tidemark.statemachine.auth.Permissions;
import java.util.Optional;

/**
 * Which right each command needs. Gives the reason why it is missing, or nothing.
 *
 * <p>What members do of their own accord needs none.
 */
public record CommandRights(Permissions permissions) implements Command.Cases<Optional<EtcdError>> {
  @Override
  public Optional<EtcdError> put(Command.Put put) {
    return Optional.ofNullable(permissions.put(put.request()));
  }

  @Override
  public Optional<EtcdError> deleteRange(Command.DeleteRange deleteRange) {
    return Optional.ofNullable(permissions.deleteRange(deleteRange.request()));
  }

  @Override
  public Optional<EtcdError> txn(Command.Txn txn) {
    return Optional.ofNullable(permissions.txn(txn.request()));
  }

  @Override
  public Optional<EtcdError> compact(Command.Compact compact) {
    return Optional.ofNullable(permissions.admin());
  }

  @Override
  public Optional<EtcdError> autoCompact(Command.AutoCompact compact) {
    return Optional.empty();
  }

  @Override
  public Optional<EtcdError> changeMembers(Command.ChangeMembers change) {
    return Optional.ofNullable(permissions.admin());
  }

  @Override
  public Optional<EtcdError> publishMember(Command.PublishMember publish) {
    return Optional.empty();
  }

  @Override
  public Optional<EtcdError> leaseGrant(Command.LeaseGrant grant) {
    return Optional.ofNullable(permissions.known());
  }

  @Override
  public Optional<EtcdError> leaseRevoke(Command.LeaseRevoke revoke) {
    return Optional.ofNullable(permissions.leaseChange(revoke.request().getID()));
  }

  @Override
  public Optional<EtcdError> renewLeases(Command.RenewLeases renew) {
    return Optional.empty();
  }

  @Override
  public Optional<EtcdError> expireLease(Command.ExpireLease expire) {
    return Optional.empty();
  }

  @Override
  public Optional<EtcdError> auth(Command.Auth auth) {
    return auth.change() instanceof AuthChange.IssueToken
        ? Optional.empty()
        : Optional.ofNullable(permissions.admin());
  }

  /** Looking at the alarms needs none. */
  @Override
  public Optional<EtcdError> alarm(Command.Alarm alarm) {
    return alarm.request().getAction() == AlarmRequest.AlarmAction.GET
        ? Optional.empty()
        : Optional.ofNullable(permissions.admin());
  }

  @Override
  public Optional<EtcdError> raiseAlarm(Command.RaiseAlarm alarm) {
    return Optional.empty();
  }

  @Override
  public Optional<EtcdError> downgrade(Command.Downgrade downgrade) {
    return Optional.ofNullable(permissions.admin());
  }

  /** Asked again for the command inside, with the caller's own permissions. */
  @Override
  public Optional<EtcdError> onBehalf(Command.OnBehalf onBehalf) {
    return Optional.empty();
  }
}
