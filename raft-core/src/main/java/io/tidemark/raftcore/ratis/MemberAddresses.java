package io.tidemark.raftcore.ratis;

import io.tidemark.clusterconfig.HostPort;
import java.net.URI;
import java.util.ArrayList;
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

/**
 * Leads gRPC from a target to the address book that knows it: {@code member://<who dials>/<hex id>}
 * to that member's own book, {@code member:///<hex id>} to anybody's. The group's configuration
 * holds targets of whoever led first; where that one doesn't run, they are anybody's too.
 *
 * <p>There is one per JVM, because gRPC looks resolvers up globally; it holds the books of the
 * members that run, and nothing else. Member ids are unique per cluster, so several members and
 * clusters can share it. Thread-safe.
 */
final class MemberAddresses extends NameResolverProvider {
  /** Scheme of the targets. */
  static final String SCHEME = "member";

  private static final MemberAddresses INSTANCE = new MemberAddresses();

  private final Map<String, AddressBook> books = new ConcurrentHashMap<>();
  private final Set<Resolver> resolvers = new CopyOnWriteArraySet<>();

  static {
    NameResolverRegistry.getDefaultRegistry().register(INSTANCE);
  }

  private MemberAddresses() {}

  /** The address of a member that a whole group agrees on: it says nothing of who dials. */
  static String anyones(String memberId) {
    return SCHEME + ":///" + memberId;
  }

  /** From now on the owner's targets are looked up there. */
  static void add(AddressBook book) {
    INSTANCE.books.put(book.owner(), book);
  }

  /** Ends {@link #add}, unless another book of the same member took over. */
  static void remove(AddressBook book) {
    INSTANCE.books.remove(book.owner(), book);
  }

  /** Tells open channels of a member's new addresses. */
  static void changed(AddressBook book, String memberId) {
    for (Resolver resolver : INSTANCE.resolvers) {
      if (resolver.asks(book, memberId)) {
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
    String dialer = target.getAuthority() == null ? "" : target.getAuthority();
    return new Resolver(dialer, target.getPath().substring(1));
  }

  private @Nullable AddressBook book(String dialer, String memberId) {
    AddressBook own = books.get(dialer);
    if (own != null) {
      return own;
    }
    return books.values().stream().filter(book -> book.knows(memberId)).findFirst().orElse(null);
  }

  private List<EquivalentAddressGroup> addresses(String dialer, String memberId) {
    AddressBook book = book(dialer, memberId);
    List<EquivalentAddressGroup> groups = new ArrayList<>();
    if (book == null) {
      return groups;
    }
    for (URI url : book.urls(memberId)) {
      Attributes attributes =
          "https".equals(url.getScheme())
              ? Attributes.newBuilder()
                  .set(EquivalentAddressGroup.ATTR_AUTHORITY_OVERRIDE, HostPort.of(url).host())
                  .build()
              : Attributes.EMPTY;
      groups.add(new EquivalentAddressGroup(book.address(url), attributes));
    }
    return groups;
  }

  private final class Resolver extends NameResolver {
    private final String dialer;
    private final String memberId;
    private volatile @Nullable Listener2 listener;

    Resolver(String dialer, String memberId) {
      this.dialer = dialer;
      this.memberId = memberId;
    }

    boolean asks(AddressBook book, String changed) {
      return memberId.equals(changed)
          && (dialer.equals(book.owner()) || !books.containsKey(dialer));
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
      List<EquivalentAddressGroup> groups = addresses(dialer, memberId);
      StatusOr<List<EquivalentAddressGroup>> found =
          groups.isEmpty()
              ? StatusOr.fromStatus(
                  Status.UNAVAILABLE.withDescription("no address of member " + memberId))
              : StatusOr.fromValue(groups);
      current.onResult(ResolutionResult.newBuilder().setAddressesOrError(found).build());
    }
  }
}
