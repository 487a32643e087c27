package io.tidemark.server.gateway;

import io.grpc.Metadata;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.tidemark.server.http.HttpAnswer;
import io.tidemark.server.http.HttpEndpoint;
import io.tidemark.server.http.HttpQuestion;
import io.tidemark.server.http.Pages;
import io.tidemark.server.rpc.Methods;
import io.tidemark.server.rpc.Request;
import io.tidemark.server.rpc.Spliced;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Everything under {@code /v3/}, and under the older {@code /v3beta/}; and what the console asks,
 * under {@code /console/api/}. Any event loop.
 */
public final class Gateway implements HttpEndpoint {
  private static final Routes ETCD = Routes.ofEtcd();
  private static final Map<String, Routes> BY_PREFIX =
      Map.of("/v3/", ETCD, "/v3beta/", ETCD, "/console/api/", Routes.ofConsole());

  private final Methods methods;
  private final Executor heavy;

  /**
   * A gateway to these methods.
   *
   * @param heavy where large replies are turned into JSON
   */
  public Gateway(Methods methods, Executor heavy) {
    this.methods = methods;
    this.heavy = heavy;
  }

  public void register(Pages pages) {
    BY_PREFIX.keySet().forEach(prefix -> pages.add(prefix, this));
  }

  @Override
  public CompletionStage<HttpAnswer> answer(HttpQuestion question) {
    Route route = route(question.path());
    if (route == null) {
      return refused(Status.NOT_FOUND.withDescription("Not Found"));
    }
    if (!question.method().equals("POST")) {
      return refused(Status.UNIMPLEMENTED.withDescription("Method Not Allowed"));
    }
    ServerMethodDefinition<Request, Spliced> method = methods.find(route.method());
    if (method == null) {
      return refused(Status.UNIMPLEMENTED.withDescription("Method not found: " + route.method()));
    }
    try {
      Requests requests = new Requests(route, question.body(), methods.messageBytesMax());
      long timeout = CallHeaders.timeoutNanos(question.headers());
      GatewayCall call =
          new GatewayCall(route, method.getMethodDescriptor(), question.caller(), requests, heavy);
      Metadata headers = CallHeaders.metadata(question.headers());
      call.countedBy(methods.tallies().begin(route.method(), headers));
      call.start(method.getServerCallHandler(), headers, timeout);
      return call.answer();
    } catch (BadRequestException e) {
      return refused(Status.INVALID_ARGUMENT.withDescription(e.text()));
    }
  }

  private static @Nullable Route route(String path) {
    for (Map.Entry<String, Routes> entry : BY_PREFIX.entrySet()) {
      if (path.startsWith(entry.getKey())) {
        return entry.getValue().find(path.substring(entry.getKey().length()));
      }
    }
    return null;
  }

  private static CompletionStage<HttpAnswer> refused(Status status) {
    return CompletableFuture.completedFuture(JsonErrors.answer(status));
  }
}
