package io.tidemark.statemachine;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.Compare;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.TxnRequest;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Gathers the single keys that the commands of an entry may look at, so that one multi-get fetches
 * them all. Both branches of a transaction count: which one runs is not known yet.
 */
final class PointKeys implements Command.Cases<PointKeys> {
  private final Set<ByteString> keys = new LinkedHashSet<>();

  private PointKeys() {}

  static Collection<ByteString> of(List<Command> commands) {
    PointKeys gathered = new PointKeys();
    for (Command command : commands) {
      command.on(gathered);
    }
    return gathered.keys;
  }

  @Override
  public PointKeys put(Command.Put put) {
    return single(put.request().getKey(), ByteString.EMPTY);
  }

  @Override
  public PointKeys deleteRange(Command.DeleteRange deleteRange) {
    return single(deleteRange.request().getKey(), deleteRange.request().getRangeEnd());
  }

  @Override
  public PointKeys txn(Command.Txn txn) {
    return txn(txn.request());
  }

  @Override
  public PointKeys compact(Command.Compact compact) {
    return this;
  }

  @Override
  public PointKeys autoCompact(Command.AutoCompact compact) {
    return this;
  }

  @Override
  public PointKeys changeMembers(Command.ChangeMembers change) {
    return this;
  }

  @Override
  public PointKeys publishMember(Command.PublishMember publish) {
    return this;
  }

  @Override
  public PointKeys auth(Command.Auth auth) {
    return this;
  }

  @Override
  public PointKeys onBehalf(Command.OnBehalf onBehalf) {
    return onBehalf.command().on(this);
  }

  @Override
  public PointKeys alarm(Command.Alarm alarm) {
    return this;
  }

  @Override
  public PointKeys leaseGrant(Command.LeaseGrant grant) {
    return this;
  }

  @Override
  public PointKeys raiseAlarm(Command.RaiseAlarm alarm) {
    return this;
  }

  @Override
  public PointKeys leaseRevoke(Command.LeaseRevoke revoke) {
    return this;
  }

  @Override
  public PointKeys downgrade(Command.Downgrade downgrade) {
    return this;
  }

  @Override
  public PointKeys renewLeases(Command.RenewLeases renew) {
    return this;
  }

  @Override
  public PointKeys expireLease(Command.ExpireLease expire) {
    return this;
  }

  private PointKeys txn(TxnRequest request) {
    for (Compare compare : request.getCompareList()) {
      single(compare.getKey(), compare.getRangeEnd());
    }
    request.getSuccessList().forEach(this::operation);
    request.getFailureList().forEach(this::operation);
    return this;
  }

  private PointKeys operation(RequestOp operation) {
    return switch (operation.getRequestCase()) {
      case REQUEST_RANGE ->
          single(operation.getRequestRange().getKey(), operation.getRequestRange().getRangeEnd());
      case REQUEST_PUT -> single(operation.getRequestPut().getKey(), ByteString.EMPTY);
      case REQUEST_DELETE_RANGE ->
          single(
              operation.getRequestDeleteRange().getKey(),
              operation.getRequestDeleteRange().getRangeEnd());
      case REQUEST_TXN -> txn(operation.getRequestTxn());
      case REQUEST_NOT_SET -> this;
    };
  }

  private PointKeys single(ByteString key, ByteString rangeEnd) {
    if (rangeEnd.isEmpty() && !key.isEmpty()) {
      keys.add(key);
    }
    return this;
  }
}
