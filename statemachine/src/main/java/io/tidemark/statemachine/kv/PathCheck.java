package io.tidemark.statemachine.kv;

import com.google.protobuf.ByteString;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.mvcc.KeyRange;
import io.tidemark.mvcc.RevisionException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Looks along a plan for a step that could not be carried out, before the first one is: once a
 * transaction has begun to write, nothing may stop it.
 *
 * <p>Each step answers true if the walk may go on.
 */
public final class PathCheck implements TxnPlan.Step.Cases<Boolean> {
  private final KeySpace before;
  private final LongPredicate leaseExists;
  private final List<KeyRange> deletedEarlier = new ArrayList<>();
  private @Nullable EtcdError refusal;

  private PathCheck(KeySpace before, LongPredicate leaseExists) {
    this.before = before;
    this.leaseExists = leaseExists;
  }

  /**
   * The error of the first step that cannot be carried out, or null if all can.
   *
   * @param before the state before the transaction
   * @param leaseExists tells whether a lease may be attached
   */
  public static @Nullable EtcdError refusal(
      TxnPlan plan, KeySpace before, LongPredicate leaseExists) {
    PathCheck check = new PathCheck(before, leaseExists);
    check.nested(plan);
    return check.refusal;
  }

  @Override
  public Boolean range(RangeRequest request) {
    RevisionException unreadable = Ranges.refusalInTxn(request, before);
    refusal = unreadable == null ? null : Ranges.error(unreadable);
    return refusal == null;
  }

  @Override
  public Boolean put(PutRequest request) {
    if (request.getLease() != 0 && !leaseExists.test(request.getLease())) {
      refusal = EtcdError.LEASE_NOT_FOUND;
    } else if ((request.getIgnoreValue() || request.getIgnoreLease())
        && !existsAt(request.getKey())) {
      refusal = EtcdError.KEY_NOT_FOUND;
    }
    return refusal == null;
  }

  @Override
  public Boolean deleteRange(DeleteRangeRequest request) {
    deletedEarlier.add(new KeyRange(request.getKey(), request.getRangeEnd()));
    return true;
  }

  @Override
  public Boolean nested(TxnPlan plan) {
    for (TxnPlan.Step step : plan.steps()) {
      if (!step.on(this)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether a put that keeps something of the key will find it. The duplicate-key rule misses
   * deletes with an open end, so that one of them may have deleted the key by then.
   */
  private boolean existsAt(ByteString key) {
    for (KeyRange deleted : deletedEarlier) {
      if (deleted.contains(key)) {
        return false;
      }
    }
    return before.get(key) != null;
  }
}
