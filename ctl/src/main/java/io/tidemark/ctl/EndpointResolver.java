package io.tidemark.ctl;

import io.grpc.Attributes;
import io.grpc.EquivalentAddressGroup;
import io.grpc.NameResolver;
import io.grpc.NameResolverProvider;
import io.grpc.StatusOr;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Gives a channel all endpoints that its target lists, comma-separated; the channel uses the first
 * that answers.
 */
final class EndpointResolver extends NameResolverProvider {
  static final String SCHEME = "tidemark-endpoints";

  /** The target of a channel to these endpoints. */
  static String target(List<Endpoint> endpoints) {
    String list = endpoints.stream().map(Endpoint::authority).collect(Collectors.joining(","));
    return SCHEME + ":///" + URLEncoder.encode(list, StandardCharsets.UTF_8);
  }

  @Override
  protected boolean isAvailable() {
    return true;
  }

  @Override
  protected int priority() {
    return 5;
  }

  @Override
  public String getDefaultScheme() {
    return SCHEME;
  }

  @Override
  public Collection<Class<? extends SocketAddress>> getProducedSocketAddressTypes() {
    return Set.of(InetSocketAddress.class);
  }

  @Override
  public NameResolver newNameResolver(URI target, NameResolver.Args args) {
    List<Endpoint> endpoints = Endpoint.parseAll(target.getPath().substring(1));
    return new NameResolver() {
      @Override
      public String getServiceAuthority() {
        return endpoints.get(0).authority();
      }

      @Override
      public void start(Listener2 listener) {
        List<EquivalentAddressGroup> groups =
            endpoints.stream().map(EndpointResolver::addresses).toList();
        listener.onResult(
            ResolutionResult.newBuilder().setAddressesOrError(StatusOr.fromValue(groups)).build());
      }

      @Override
      public void shutdown() {}
    };
  }

  private static EquivalentAddressGroup addresses(Endpoint endpoint) {
    return new EquivalentAddressGroup(
        new InetSocketAddress(endpoint.host(), endpoint.port()),
        Attributes.newBuilder()
            .set(EquivalentAddressGroup.ATTR_AUTHORITY_OVERRIDE, endpoint.authority())
            .build());
  }
}
