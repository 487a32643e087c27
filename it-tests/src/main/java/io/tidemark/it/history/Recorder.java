package io.tidemark.it.history;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.tidemark.api.etcdserverpb.Compare;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.DeleteRangeResponse;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.PutResponse;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RangeResponse;
import io.tidemark.api.etcdserverpb.RequestOp;
import io.tidemark.api.etcdserverpb.TxnRequest;
import io.tidemark.api.etcdserverpb.TxnResponse;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.it.client.Attempt;
import io.tidemark.it.client.MemberClient;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A client of one member that writes down each attempt. One thread uses it; what it writes to must
 * accept any thread.
 */
public final class Recorder {
  private final String name;
  private final MemberClient client;
  private final Consumer<Operation> history;

  public Recorder(String name, MemberClient client, Consumer<Operation> history) {
    this.name = name;
    this.client = client;
    this.history = history;
  }

  public Outcome put(String key, String value) {
    PutRequest request =
        PutRequest.newBuilder()
            .setKey(ByteString.copyFromUtf8(key))
            .setValue(ByteString.copyFromUtf8(value))
            .setPrevKv(true)
            .build();
    return record(
        new Action.Put(key, value), () -> outcome(client.put(request), Recorder::putDone));
  }

  public Outcome delete(String key) {
    DeleteRangeRequest request =
        DeleteRangeRequest.newBuilder()
            .setKey(ByteString.copyFromUtf8(key))
            .setPrevKv(true)
            .build();
    return record(
        new Action.Delete(key), () -> outcome(client.delete(request), Recorder::deleteDone));
  }

  public Outcome swap(String key, long expectedMod, String value) {
    ByteString bytes = ByteString.copyFromUtf8(key);
    TxnRequest request =
        TxnRequest.newBuilder()
            .addCompare(
                Compare.newBuilder()
                    .setKey(bytes)
                    .setTarget(Compare.CompareTarget.MOD)
                    .setModRevision(expectedMod))
            .addSuccess(
                RequestOp.newBuilder()
                    .setRequestPut(
                        PutRequest.newBuilder()
                            .setKey(bytes)
                            .setValue(ByteString.copyFromUtf8(value))))
            .addFailure(
                RequestOp.newBuilder().setRequestRange(RangeRequest.newBuilder().setKey(bytes)))
            .build();
    return record(
        new Action.Swap(key, expectedMod, value),
        () -> outcome(client.txn(request), Recorder::swapDone));
  }

  public Outcome read(String key, boolean local) {
    return record(
        new Action.Read(key, local),
        () -> outcome(local ? client.getLocal(key) : client.get(key), Recorder::readDone));
  }

  private Outcome record(Action action, Supplier<Outcome> attempt) {
    long began = System.nanoTime();
    Outcome outcome = attempt.get();
    history.accept(new Operation(name, action, began, System.nanoTime(), outcome));
    return outcome;
  }

  private static <T> Outcome outcome(Attempt<T> attempt, Function<T, Outcome> done) {
    return attempt.on(
        new Attempt.Cases<>() {
          @Override
          public Outcome answered(T response) {
            return done.apply(response);
          }

          @Override
          public Outcome refused(Status status) {
            String error = status.getCode() + " " + status.getDescription();
            return promisesNothingChanged(status)
                ? new Outcome.Rejected(error)
                : new Outcome.Unknown(error);
          }
        });
  }

  /** Only what the contract says never reached the log. */
  private static boolean promisesNothingChanged(Status status) {
    return switch (status.getCode()) {
      case INVALID_ARGUMENT, OUT_OF_RANGE, NOT_FOUND, FAILED_PRECONDITION, RESOURCE_EXHAUSTED ->
          true;
      case UNAVAILABLE -> "etcdserver: no leader".equals(status.getDescription());
      case UNKNOWN -> "etcdserver: too many requests".equals(status.getDescription());
      default -> false;
    };
  }

  private static Outcome putDone(PutResponse response) {
    Optional<KeyValue> previous =
        response.hasPrevKv() ? Optional.of(response.getPrevKv()) : Optional.empty();
    return new Outcome.Done(response.getHeader().getRevision(), true, previous);
  }

  private static Outcome deleteDone(DeleteRangeResponse response) {
    return new Outcome.Done(
        response.getHeader().getRevision(),
        response.getDeleted() > 0,
        response.getPrevKvsList().stream().findFirst());
  }

  private static Outcome swapDone(TxnResponse response) {
    Optional<KeyValue> found =
        response.getSucceeded()
            ? Optional.empty()
            : response.getResponses(0).getResponseRange().getKvsList().stream().findFirst();
    return new Outcome.Done(response.getHeader().getRevision(), response.getSucceeded(), found);
  }

  private static Outcome readDone(RangeResponse response) {
    return new Outcome.Done(
        response.getHeader().getRevision(), false, response.getKvsList().stream().findFirst());
  }
}
