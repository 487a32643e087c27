package io.tidemark.raftcore.ratis;

import io.tidemark.clusterconfig.HostPort;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import org.apache.ratis.thirdparty.io.grpc.Attributes;
import org.apache.ratis.thirdparty.io.grpc.EquivalentAddressGroup;
import org.apache.ratis.thirdparty.io.grpc.NameResolver;
import org.apache.ratis.thirdparty.io.grpc.NameResolverProvider;
import org.apache.ratis.thirdparty.io.grpc.NameResolverRegistry;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.StatusOr;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where members are found: {@code member:///<hex id>} to the member's current peer URLs.
 *
 * <p>Ratis never takes a changed address, so it is told none; its channels and ours resolve these
 * targets here, and a change reaches them at once. There is one table per JVM, because gRPC looks
 * resolvers up globally; member ids are unique per cluster, so several members and clusters can
 * share it. The system property {@code tidemark.peer.routes}, a comma list of {@code
 * <host:port>=<host:port>}, sends a peer URL's address elsewhere. Thread-safe.
 */
public final class MemberAddresses extends NameResolverProvider {
  private static final Logger LOG = LoggerFactory.getLogger(MemberAddresses.class);

  /** Scheme of the targets. */
  static final String SCHEME = "member";

  /** Names the property with the routes. */
  public static final String ROUTES_PROPERTY = "tidemark.peer.routes";

  private static final MemberAddresses INSTANCE = new MemberAddresses();

  private final Map<String, List<URI>> table = new ConcurrentHashMap<>();
  private final Set<Resolver> resolvers = new CopyOnWriteArraySet<>();

  static {
    NameResolverRegistry.getDefaultRegistry().register(INSTANCE);
  }

  private MemberAddresses() {}

  /** The JVM's table. */
  public static MemberAddresses table() {
    return INSTANCE;
  }

  /** The address to give to Ratis and to gRPC for a member. */
  public static String target(String memberId) {
    return SCHEME + ":///" + memberId;
  }

  /** Sets a member's peer URLs and tells open channels. */
  public void put(String memberId, List<URI> peerUrls) {
    List<URI> previous = table.put(memberId, List.copyOf(peerUrls));
    if (peerUrls.equals(previous)) {
      return;
    }
    for (Resolver resolver : resolvers) {
      if (resolver.memberId.equals(memberId)) {
        resolver.push();
      }
    }
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
  public @Nullable NameResolver newNameResolver(URI target, NameResolver.Args args) {
    if (!SCHEME.equals(target.getScheme())) {
      return null;
    }
    return new Resolver(target.getPath().substring(1));
  }

  private List<EquivalentAddressGroup> addresses(String memberId) {
    List<EquivalentAddressGroup> groups = new ArrayList<>();
    for (URI url : table.getOrDefault(memberId, List.of())) {
      Attributes attributes =
          "https".equals(url.getScheme())
              ? Attributes.newBuilder()
                  .set(EquivalentAddressGroup.ATTR_AUTHORITY_OVERRIDE, HostPort.of(url).host())
                  .build()
              : Attributes.EMPTY;
      groups.add(new EquivalentAddressGroup(address(url), attributes));
    }
    return groups;
  }

  /** Where to dial for a peer URL with a host and a port, routes included. */
  static InetSocketAddress address(URI url) {
    HostPort place = HostPort.of(url);
    String asked = place.host() + ":" + place.port();
    String dialed = routes().getOrDefault(asked, asked);
    int colon = dialed.lastIndexOf(':');
    return new InetSocketAddress(
        dialed.substring(0, colon), Integer.parseInt(dialed.substring(colon + 1)));
  }

  /** Those that can be dialed: peer URLs of an update are stored as they were given. */
  public static List<URI> usable(List<String> peerUrls) {
    List<URI> usable = new ArrayList<>();
    for (String text : peerUrls) {
      try {
        URI url = new URI(text);
        if (!HostPort.of(url).host().isEmpty() && HostPort.of(url).port() >= 0) {
          usable.add(url);
        }
      } catch (URISyntaxException e) {
        LOG.warn("peer URL {} can't be dialed: {}", text, e.getReason());
      }
    }
    return usable;
  }

  private static Map<String, String> routes() {
    Map<String, String> routes = new HashMap<>();
    for (String route : System.getProperty(ROUTES_PROPERTY, "").split(",", -1)) {
      int equals = route.indexOf('=');
      if (equals > 0) {
        routes.put(route.substring(0, equals).trim(), route.substring(equals + 1).trim());
      }
    }
    return routes;
  }

  private final class Resolver extends NameResolver {
    private final String memberId;
    private volatile @Nullable Listener2 listener;

    Resolver(String memberId) {
      this.memberId = memberId;
    }

    @Override
    public String getServiceAuthority() {
      return memberId;
    }

    @Override
    public void start(Listener2 listener) {
      this.listener = listener;
      resolvers.add(this);
      push();
    }

    @Override
    public void refresh() {
      push();
    }

    @Override
    public void shutdown() {
      resolvers.remove(this);
    }

    void push() {
      Listener2 current = listener;
      if (current == null) {
        return;
      }
      List<EquivalentAddressGroup> groups = addresses(memberId);
      StatusOr<List<EquivalentAddressGroup>> found =
          groups.isEmpty()
              ? StatusOr.fromStatus(
                  Status.UNAVAILABLE.withDescription("no address of member " + memberId))
              : StatusOr.fromValue(groups);
      current.onResult(ResolutionResult.newBuilder().setAddressesOrError(found).build());
    }
  }
}
