package io.tidemark.server;

import com.google.protobuf.ByteString;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.AlarmType;
import io.tidemark.mvcc.ReadView;
import io.tidemark.server.access.Gate;
import io.tidemark.server.access.ReadLanes;
import io.tidemark.server.access.Reads;
import io.tidemark.server.access.Replica;
import io.tidemark.server.http.HealthProbes;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;

/** Answers the health pages with real reads. */
record Probes(Replica replica, Gate gate, Reads reads, ReadLanes lanes) implements HealthProbes {
  private static final ByteString ANY_KEY = ByteString.copyFromUtf8("health");

  @Override
  public boolean hasLeader() {
    return gate.hasLeader();
  }

  @Override
  public List<String> alarms() {
    return replica.alarms().all().stream()
        .map(
            alarm ->
                alarm.getAlarm() == AlarmType.UNRECOGNIZED ? "UNKNOWN" : alarm.getAlarm().name())
        .toList();
  }

  @Override
  public boolean isVoter() {
    return !replica.status().isLearner();
  }

  @Override
  public CompletionStage<String> serializableRead() {
    try {
      return CompletableFuture.supplyAsync(this::read, lanes.quick());
    } catch (RejectedExecutionException full) {
      return CompletableFuture.completedFuture(EtcdError.TOO_MANY_REQUESTS.message());
    }
  }

  @Override
  public CompletionStage<String> linearizableRead() {
    return reads
        .barrier()
        .thenCompose(
            failure ->
                failure.isPresent()
                    ? CompletableFuture.completedFuture(failure.get().message())
                    : serializableRead());
  }

  private String read() {
    try (ReadView view = replica.view()) {
      view.get(ANY_KEY, 0);
      return "";
    } catch (RuntimeException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
