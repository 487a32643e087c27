package io.tidemark.ctl;

import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.NameResolverRegistry;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.AbstractStub;
import io.grpc.stub.MetadataUtils;
import io.netty.channel.ChannelOption;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.AuthGrpc;
import io.tidemark.api.etcdserverpb.AuthenticateRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A channel to some endpoints, closed at the end of the command. Calls block the main thread and
 * fail with gRPC's {@link io.grpc.StatusRuntimeException}.
 */
final class Connection implements AutoCloseable {
  private static final Metadata.Key<String> TOKEN =
      Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);

  static {
    NameResolverRegistry.getDefaultRegistry().register(new EndpointResolver());
  }

  private final ManagedChannel managed;
  private final Channel channel;
  private final Duration timeout;

  private Connection(ManagedChannel managed, Channel channel, Duration timeout) {
    this.managed = managed;
    this.channel = channel;
    this.timeout = timeout;
  }

  /** Opens a channel that uses the first endpoint that answers; connecting itself is lazy. */
  static Connection open(GlobalOptions options, List<Endpoint> endpoints) {
    boolean tls = options.wantsTls(endpoints.get(0));
    for (Endpoint endpoint : endpoints) {
      if (options.wantsTls(endpoint) != tls) {
        throw CommandFailure.badArguments("endpoints mix TLS and plain text");
      }
    }
    NettyChannelBuilder builder =
        NettyChannelBuilder.forTarget(EndpointResolver.target(endpoints))
            .maxInboundMessageSize(Integer.MAX_VALUE)
            .withOption(
                ChannelOption.CONNECT_TIMEOUT_MILLIS,
                (int) GoText.parseDuration("--dial-timeout", options.dialTimeout).toMillis());
    if (tls) {
      builder.sslContext(ClientTls.forCalls(options));
    } else {
      builder.usePlaintext();
    }
    ManagedChannel managed = builder.build();
    Duration timeout = GoText.parseDuration("--command-timeout", options.commandTimeout);
    Channel channel = managed;
    String user = options.userName();
    if (user != null) {
      channel = withToken(managed, options, user, timeout);
    }
    return new Connection(managed, channel, timeout);
  }

  /** Without authentication there are no tokens, and none is needed. */
  private static Channel withToken(
      ManagedChannel managed, GlobalOptions options, String user, Duration timeout) {
    try {
      String token =
          AuthGrpc.newBlockingStub(managed)
              .withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS)
              .authenticate(
                  AuthenticateRequest.newBuilder()
                      .setName(user)
                      .setPassword(options.userPassword())
                      .build())
              .getToken();
      Metadata headers = new Metadata();
      headers.put(TOKEN, token);
      return ClientInterceptors.intercept(
          managed, MetadataUtils.newAttachHeadersInterceptor(headers));
    } catch (StatusRuntimeException refused) {
      if (EtcdError.AUTH_NOT_ENABLED.message().equals(refused.getStatus().getDescription())) {
        return managed;
      }
      managed.shutdownNow();
      throw refused;
    }
  }

  /** For calls without a deadline. */
  Channel channel() {
    return channel;
  }

  /** The stub with the command's time-out, counted from now. */
  <S extends AbstractStub<S>> S limited(S stub) {
    return stub.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public void close() {
    managed.shutdownNow();
  }
}
