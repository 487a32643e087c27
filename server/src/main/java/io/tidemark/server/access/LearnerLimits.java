package io.tidemark.server.access;

import com.google.protobuf.MessageLite;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.MaintenanceGrpc;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.healthpb.HealthGrpc;
import io.tidemark.api.tidemarkpb.ConsoleGrpc;
import io.tidemark.server.rpc.CallLimits;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A learner answers what it can answer alone: serializable ranges, its status and its snapshot
 * (contract section 2.12), whether it lives, and what the console asks.
 *
 * @param learner whether this member has no vote at this moment
 */
public record LearnerLimits(BooleanSupplier learner) implements CallLimits {
  private static final Set<String> ALONE =
      Set.of(
          MaintenanceGrpc.getStatusMethod().getFullMethodName(),
          MaintenanceGrpc.getSnapshotMethod().getFullMethodName(),
          HealthGrpc.getCheckMethod().getFullMethodName(),
          HealthGrpc.getWatchMethod().getFullMethodName(),
          ConsoleGrpc.getMembersMethod().getFullMethodName(),
          ConsoleGrpc.getChildrenMethod().getFullMethodName(),
          ConsoleGrpc.getHistoryMethod().getFullMethodName());

  @Override
  public @Nullable EtcdError refusal(String method, @Nullable MessageLite request) {
    if (!learner.getAsBoolean() || ALONE.contains(method)) {
      return null;
    }
    return request instanceof RangeRequest range && range.getSerializable()
        ? null
        : EtcdError.NOT_SUPPORTED_FOR_LEARNER;
  }
}
