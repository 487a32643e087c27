package io.tidemark.server.access;

import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.AlarmMember;
import io.tidemark.api.etcdserverpb.AlarmType;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.TxnRequest;
import io.tidemark.server.rpc.Reply;
import io.tidemark.statemachine.Command;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Refuses what would no longer fit, and raises the alarm that then forbids it on every member. Only
 * the member that takes a request looks at its own size; the estimates are etcd's (contract section
 * 4). Any thread; nothing blocks.
 */
public final class Quota {
  /** What a lease is reckoned to take. */
  public static final long LEASE_COST = 64;

  private static final long PAIR_OVERHEAD = 256;

  private final Replica replica;
  private final long bytes;
  private final AlarmMember alarm;
  private final AtomicBoolean raising = new AtomicBoolean();

  /**
   * @param bytes largest size of the store; negative means without limit
   * @param memberId whose alarm is raised
   */
  public Quota(Replica replica, long bytes, long memberId) {
    this.replica = replica;
    this.bytes = bytes;
    this.alarm = AlarmMember.newBuilder().setMemberID(memberId).setAlarm(AlarmType.NOSPACE).build();
  }

  /**
   * Whether so much more fits; nothing always does. If not, the call has failed, and the alarm is
   * being raised.
   */
  public boolean admits(long cost, Reply reply) {
    if (cost == 0 || bytes < 0 || replica.dbSize() + cost < bytes) {
      return true;
    }
    if (replica.alarms().all().contains(alarm) || !raising.compareAndSet(false, true)) {
      reply.fail(EtcdError.NO_SPACE);
      return false;
    }
    var unused =
        replica
            .propose(new Command.RaiseAlarm(alarm))
            .whenComplete(
                (result, bug) -> {
                  raising.set(false);
                  reply.fail(EtcdError.NO_SPACE);
                });
    return false;
  }

  public static long cost(PutRequest request) {
    return PAIR_OVERHEAD + request.getKey().size() + request.getValue().size();
  }

  /** The dearer one of the two branches. */
  public static long cost(TxnRequest request) {
    return Math.max(cost(request.getSuccessList()), cost(request.getFailureList()));
  }

  private static long cost(List<RequestOp> operations) {
    long cost = 0;
    for (RequestOp operation : operations) {
      cost +=
          switch (operation.getRequestCase()) {
            case REQUEST_PUT -> cost(operation.getRequestPut());
            case REQUEST_TXN -> cost(operation.getRequestTxn());
            case REQUEST_RANGE, REQUEST_DELETE_RANGE, REQUEST_NOT_SET -> 0;
          };
    }
    return cost;
  }
}
