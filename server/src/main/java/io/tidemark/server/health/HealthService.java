package io.tidemark.server.health;

import io.grpc.Status;
import io.tidemark.api.healthpb.HealthCheckRequest;
import io.tidemark.api.healthpb.HealthCheckResponse;
import io.tidemark.api.healthpb.HealthCheckResponse.ServingStatus;
import io.tidemark.api.healthpb.HealthGrpc;
import io.tidemark.server.rpc.Methods;
import io.tidemark.server.rpc.Reply;
import io.tidemark.server.rpc.Spliced;
import java.util.function.Consumer;

/** {@code grpc.health.v1.Health}; only the empty service name is known, as in etcd. */
public final class HealthService {
  private final Serving serving;

  public HealthService(Serving serving) {
    this.serving = serving;
  }

  public void register(Methods methods) {
    methods
        .add(HealthGrpc.getCheckMethod(), HealthCheckRequest.parser(), this::check)
        .add(HealthGrpc.getWatchMethod(), HealthCheckRequest.parser(), this::watch);
  }

  private void check(HealthCheckRequest request, Reply reply) {
    if (request.getService().isEmpty()) {
      reply.send(message(status(serving.now())));
    } else {
      reply.fail(Status.NOT_FOUND.withDescription("unknown service"));
    }
  }

  private void watch(HealthCheckRequest request, Reply reply) {
    if (!request.getService().isEmpty()) {
      reply.sendPart(message(ServingStatus.SERVICE_UNKNOWN));
      return;
    }
    Consumer<Boolean> listener = value -> reply.sendPart(message(status(value)));
    reply.whenOver(() -> serving.forget(listener));
    serving.listen(listener);
    reply.sendPart(message(status(serving.now())));
  }

  private static ServingStatus status(boolean serves) {
    return serves ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
  }

  private static Spliced message(ServingStatus status) {
    return Spliced.of(HealthCheckResponse.newBuilder().setStatus(status).build().toByteString());
  }
}
