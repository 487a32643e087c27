package io.tidemark.it.rig;

import io.tidemark.it.process.Product;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a cluster is to look like. Each method gives a changed copy.
 *
 * @param members how many
 * @param product what they run
 * @param flags further flags of every member
 * @param linked whether proxies stand between members (ours only: etcd has no hook for it)
 * @param peerScheme of the URLs between members
 * @param jdks members that run on a JDK of their own
 * @param smallDisks members whose data directory is a small file system of its own
 * @param snapshot file that every member is restored from before its first start
 */
public record ClusterPlan(
    int members,
    Product product,
    List<String> flags,
    boolean linked,
    String peerScheme,
    Map<Integer, Path> jdks,
    Set<Integer> smallDisks,
    Optional<Path> snapshot) {
  public ClusterPlan {
    flags = List.copyOf(flags);
    jdks = Map.copyOf(jdks);
    smallDisks = Set.copyOf(smallDisks);
  }

  /** Members of the product under test with default flags. */
  public static ClusterPlan of(int members) {
    return of(members, Product.underTest());
  }

  /** Members of this product with default flags. */
  public static ClusterPlan of(int members, Product product) {
    return new ClusterPlan(
        members, product, List.of(), false, "http", Map.of(), Set.of(), Optional.empty());
  }

  public ClusterPlan flags(String... more) {
    List<String> all = new ArrayList<>(flags);
    all.addAll(List.of(more));
    return new ClusterPlan(members, product, all, linked, peerScheme, jdks, smallDisks, snapshot);
  }

  /** The same with a proxy on every link. */
  public ClusterPlan onLinks() {
    return new ClusterPlan(members, product, flags, true, peerScheme, jdks, smallDisks, snapshot);
  }

  /** The same with members that talk under TLS; the flags say with which certificates. */
  public ClusterPlan overTls() {
    return new ClusterPlan(members, product, flags, linked, "https", jdks, smallDisks, snapshot);
  }

  /** The same with one member on another JDK. */
  public ClusterPlan jdk(int member, Path home) {
    Map<Integer, Path> all = new HashMap<>(jdks);
    all.put(member, home);
    return new ClusterPlan(members, product, flags, linked, peerScheme, all, smallDisks, snapshot);
  }

  /** The same with a small disk for some members; needs the right to mount. */
  public ClusterPlan smallDisks(Set<Integer> on) {
    return new ClusterPlan(members, product, flags, linked, peerScheme, jdks, on, snapshot);
  }

  /** The same, restored from a snapshot file. */
  public ClusterPlan restoredFrom(Path file) {
    return new ClusterPlan(
        members, product, flags, linked, peerScheme, jdks, smallDisks, Optional.of(file));
  }

  /** Starts it and waits until every member serves. */
  public ProcessCluster start() {
    return ProcessCluster.start(this);
  }

  /** The home of an installed JDK of this feature version. */
  public static Optional<Path> installedJdk(int feature) {
    return InstalledJdks.find(feature);
  }

  /** The home of the JDK that {@code scripts/tidemark} takes by itself. */
  public static Path newestJdk() {
    return InstalledJdks.newest();
  }
}
