package io.tidemark.server.rpc;

import com.codahale.metrics.MetricRegistry;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.tidemark.raftcore.metrics.Buckets;
import io.tidemark.server.metrics.Total;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Counts calls under the names that etcd has from its gRPC library. Everything is there from the
 * start with 0, since dashboards subtract one series from another. Thread-safe.
 */
public final class CallTallies {
  private static final Metadata.Key<String> CLIENT_VERSION =
      Metadata.Key.of("client-api-version", Metadata.ASCII_STRING_MARSHALLER);
  private static final Pattern VERSION = Pattern.compile("\\d{1,2}\\.\\d{1,3}");

  /** Clients choose this label, so there is an end to it. */
  private static final int VERSIONS_MAX = 50;

  private static final String UNKNOWN = "unknown";
  private static final double NANOS = 1e9;

  private final MetricRegistry registry;
  private final boolean timed;
  private final Total receivedBytes;
  private final Total sentBytes;
  private final Map<String, Method> methods = new ConcurrentHashMap<>();
  private final Map<String, Clients> clients = new ConcurrentHashMap<>();

  /**
   * Tallies in that registry.
   *
   * @param timed whether to keep histograms of how long calls take
   */
  public CallTallies(MetricRegistry registry, boolean timed) {
    this.registry = registry;
    this.timed = timed;
    receivedBytes = Total.in(registry, "etcd_network_client_grpc_received_bytes_total");
    sentBytes = Total.in(registry, "etcd_network_client_grpc_sent_bytes_total");
    clients.put(UNKNOWN, new Clients(UNKNOWN));
  }

  void add(MethodDescriptor<?, ?> method) {
    methods.put(method.getFullMethodName(), new Method(method));
  }

  /** Counts a call that begins; null when the method isn't served. */
  public @Nullable Call begin(String methodName, Metadata headers) {
    Method method = methods.get(methodName);
    if (method == null) {
      return null;
    }
    Clients from = clients(headers.get(CLIENT_VERSION));
    (method.unary ? from.unary : from.stream).inc();
    method.started.inc();
    return new Call(method);
  }

  private Clients clients(@Nullable String version) {
    String known = version != null && VERSION.matcher(version).matches() ? version : UNKNOWN;
    Clients from = clients.get(known);
    if (from != null) {
      return from;
    }
    return clients.size() < VERSIONS_MAX
        ? clients.computeIfAbsent(known, Clients::new)
        : clients.computeIfAbsent(UNKNOWN, Clients::new);
  }

  private final class Clients {
    final Total unary;
    final Total stream;

    Clients(String version) {
      unary = of("unary", version);
      stream = of("stream", version);
    }

    private Total of(String type, String version) {
      return Total.in(
          registry,
          "etcd_server_client_requests_total{type=\""
              + type
              + "\",client_api_version=\""
              + version
              + "\"}");
    }
  }

  private final class Method {
    final boolean unary;
    final Total started;
    final Total received;
    final Total sent;
    final Map<Status.Code, Total> handled = new EnumMap<>(Status.Code.class);
    final @Nullable Buckets seconds;

    Method(MethodDescriptor<?, ?> method) {
      unary = method.getType() == MethodDescriptor.MethodType.UNARY;
      String labels =
          "grpc_type=\""
              + type(method.getType())
              + "\",grpc_service=\""
              + method.getServiceName()
              + "\",grpc_method=\""
              + method.getBareMethodName()
              + "\"";
      started = Total.in(registry, "grpc_server_started_total{" + labels + "}");
      received = Total.in(registry, "grpc_server_msg_received_total{" + labels + "}");
      sent = Total.in(registry, "grpc_server_msg_sent_total{" + labels + "}");
      for (Status.Code code : Status.Code.values()) {
        handled.put(
            code,
            Total.in(
                registry,
                "grpc_server_handled_total{" + labels + ",grpc_code=\"" + name(code) + "\"}"));
      }
      seconds =
          timed
              ? registry.register(
                  "grpc_server_handling_seconds{" + labels + "}", Buckets.exponential(0.001, 2, 14))
              : null;
    }
  }

  private static String type(MethodDescriptor.MethodType type) {
    return switch (type) {
      case UNARY, UNKNOWN -> "unary";
      case CLIENT_STREAMING -> "client_stream";
      case SERVER_STREAMING -> "server_stream";
      case BIDI_STREAMING -> "bidi_stream";
    };
  }

  /** As in Go: {@code OK}, {@code Canceled}, {@code InvalidArgument}. */
  private static String name(Status.Code code) {
    if (code == Status.Code.OK) {
      return "OK";
    }
    if (code == Status.Code.CANCELLED) {
      return "Canceled";
    }
    StringBuilder name = new StringBuilder();
    boolean capital = true;
    for (char letter : code.name().toCharArray()) {
      if (letter == '_') {
        capital = true;
      } else {
        name.append(capital ? letter : Character.toLowerCase(letter));
        capital = false;
      }
    }
    return name.toString();
  }

  /** One call. Any thread; each call ends once. */
  public final class Call {
    private final Method method;
    private final long startNanos = System.nanoTime();

    private Call(Method method) {
      this.method = method;
    }

    public void receivedMessage() {
      method.received.inc();
    }

    public void sentMessage() {
      method.sent.inc();
    }

    public void receivedBytes(long bytes) {
      receivedBytes.inc(bytes);
    }

    public void sentBytes(long bytes) {
      sentBytes.inc(bytes);
    }

    /** The last thing that is told of a call. */
    public void ended(Status status) {
      Total total = method.handled.get(status.getCode());
      if (total != null) {
        total.inc();
      }
      if (method.seconds != null) {
        method.seconds.observe((System.nanoTime() - startNanos) / NANOS);
      }
    }
  }
}
