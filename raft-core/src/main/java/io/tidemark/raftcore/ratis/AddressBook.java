package io.tidemark.raftcore.ratis;

import io.tidemark.clusterconfig.HostPort;
import io.tidemark.raftcore.settings.PeerRoutes;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where one member finds the others: member id to current peer URLs.
 *
 * <p>Ratis never takes a changed address, so it is told none; its channels and ours resolve {@link
 * #target} here by way of {@link MemberAddresses}, and a change reaches them at once. Thread-safe.
 */
public final class AddressBook implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AddressBook.class);

  private final String owner;
  private final PeerRoutes routes;
  private final Map<String, List<URI>> urls = new ConcurrentHashMap<>();

  /** An empty book that nobody looks into yet. */
  AddressBook(String owner, PeerRoutes routes) {
    this.owner = owner;
    this.routes = routes;
  }

  /** From now on the owner's targets lead here. */
  void open() {
    MemberAddresses.add(this);
  }

  /** Sets a member's peer URLs and tells open channels. */
  public void put(String memberId, List<URI> peerUrls) {
    List<URI> previous = urls.put(memberId, List.copyOf(peerUrls));
    if (!peerUrls.equals(previous)) {
      MemberAddresses.changed(this, memberId);
    }
  }

  String owner() {
    return owner;
  }

  /** What to dial for a member. */
  String target(String memberId) {
    return MemberAddresses.SCHEME + "://" + owner + "/" + memberId;
  }

  List<URI> urls(String memberId) {
    return urls.getOrDefault(memberId, List.of());
  }

  boolean knows(String memberId) {
    return urls.containsKey(memberId);
  }

  /** Where to dial for a peer URL. */
  InetSocketAddress address(URI url) {
    return address(url, routes);
  }

  /** Where to dial for a peer URL with a host and a port. */
  static InetSocketAddress address(URI url, PeerRoutes routes) {
    HostPort dialed = routes.dialed(HostPort.of(url));
    return new InetSocketAddress(dialed.host(), dialed.port());
  }

  /** Those that can be dialed: peer URLs of an update are stored as they were given. */
  public static List<URI> usable(List<String> peerUrls) {
    return peerUrls.stream()
        .map(AddressBook::parsed)
        .filter(url -> !HostPort.of(url).host().isEmpty() && HostPort.of(url).port() >= 0)
        .collect(Collectors.toUnmodifiableList());
  }

  private static URI parsed(String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      LOG.warn("peer URL {} can't be dialed: {}", text, e.getReason());
      return URI.create("");
    }
  }

  /** From now on the owner's targets lead nowhere. */
  @Override
  public void close() {
    MemberAddresses.remove(this);
  }
}
