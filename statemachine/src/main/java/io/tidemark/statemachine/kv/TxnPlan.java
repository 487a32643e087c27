package io.tidemark.statemachine.kv;

import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.TxnRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * A transaction with every branch chosen, those of nested transactions too.
 *
 * <p>All compares are judged against the state before the transaction, so the plan is complete
 * before the first step runs and no step can change it.
 *
 * @param succeeded whether the transaction's own compares held
 * @param steps the chosen branch, in execution order
 */
public record TxnPlan(boolean succeeded, List<Step> steps) {
  public TxnPlan {
    steps = List.copyOf(steps);
  }

  /**
   * Chooses the branches.
   *
   * @param request a request that has passed the request checks: it has no unset operation
   * @param before the state before the transaction
   */
  public static TxnPlan of(TxnRequest request, KeySpace before) {
    boolean succeeded = Compares.allHold(before, request.getCompareList());
    List<RequestOp> branch = succeeded ? request.getSuccessList() : request.getFailureList();
    List<Step> steps = new ArrayList<>(branch.size());
    for (RequestOp operation : branch) {
      steps.add(step(operation, before));
    }
    return new TxnPlan(succeeded, steps);
  }

  /** Runs the steps in order and gives what each of them gave. */
  public <R> List<R> run(Step.Cases<R> execution) {
    List<R> results = new ArrayList<>(steps.size());
    for (Step step : steps) {
      results.add(step.on(execution));
    }
    return results;
  }

  private static Step step(RequestOp operation, KeySpace before) {
    return switch (operation.getRequestCase()) {
      case REQUEST_RANGE -> new Step.Range(operation.getRequestRange());
      case REQUEST_PUT -> new Step.Put(operation.getRequestPut());
      case REQUEST_DELETE_RANGE -> new Step.DeleteRange(operation.getRequestDeleteRange());
      case REQUEST_TXN -> new Step.Nested(of(operation.getRequestTxn(), before));
      case REQUEST_NOT_SET ->
          throw new IllegalArgumentException("an operation without a request passed the checks");
    };
  }

  /** One operation of a chosen branch. */
  public sealed interface Step {
    /** Calls the one method of {@code cases} that belongs to this step. */
    <R> R on(Cases<R> cases);

    /** One method for each kind of step. */
    interface Cases<R> {
      R range(RangeRequest request);

      R put(PutRequest request);

      R deleteRange(DeleteRangeRequest request);

      R nested(TxnPlan plan);
    }

    /** Reads. */
    record Range(RangeRequest request) implements Step {
      @Override
      public <R> R on(Cases<R> cases) {
        return cases.range(request);
      }
    }

    /** Sets a key. */
    record Put(PutRequest request) implements Step {
      @Override
      public <R> R on(Cases<R> cases) {
        return cases.put(request);
      }
    }

    /** Deletes a range. */
    record DeleteRange(DeleteRangeRequest request) implements Step {
      @Override
      public <R> R on(Cases<R> cases) {
        return cases.deleteRange(request);
      }
    }

    /** Runs the chosen branch of a transaction inside the transaction. */
    record Nested(TxnPlan plan) implements Step {
      @Override
      public <R> R on(Cases<R> cases) {
        return cases.nested(plan);
      }
    }
  }
}
