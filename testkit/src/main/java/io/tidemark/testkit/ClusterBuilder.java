package io.tidemark.testkit;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a cluster will be like. Belongs to one thread; may be used again. */
public final class ClusterBuilder {
  private static final int MEMBERS_MAX = 7;

  private int nodes = 1;
  private String prefix = "tidemark";
  private boolean ssl;
  private List<String> additionalArgs = List.of();
  private @Nullable Path directory;
  private Duration startTimeout = Duration.ofSeconds(60);

  ClusterBuilder() {}

  /** Number of members, 1 to 7; 1 unless told. */
  public ClusterBuilder withNodes(int count) {
    if (count < 1 || count > MEMBERS_MAX) {
      throw new IllegalArgumentException("1 to " + MEMBERS_MAX + " nodes, not " + count);
    }
    this.nodes = count;
    return this;
  }

  /** How the names of the members, of their threads and of the directory begin. */
  public ClusterBuilder withPrefix(String text) {
    this.prefix = text;
    return this;
  }

  /**
   * TLS towards clients, by certificates made for this cluster. With the further argument {@code
   * --client-cert-auth} clients need one, too.
   */
  public ClusterBuilder withSsl(boolean wanted) {
    this.ssl = wanted;
    return this;
  }

  /** Further flags for every member, in etcd's spelling. */
  public ClusterBuilder withAdditionalArgs(String... args) {
    return withAdditionalArgs(List.of(args));
  }

  /** The same, as a collection. */
  public ClusterBuilder withAdditionalArgs(Collection<String> args) {
    this.additionalArgs = List.copyOf(args);
    return this;
  }

  /** Keeps the data there, instead of in a temporary directory that goes with the cluster. */
  public ClusterBuilder withDataDirectory(Path kept) {
    this.directory = kept;
    return this;
  }

  /** How long a start may take until all members serve; a minute unless told. */
  public ClusterBuilder withStartTimeout(Duration atMost) {
    this.startTimeout = atMost;
    return this;
  }

  /** A cluster that isn't started. It holds its ports from now on, so it has to be closed. */
  public TidemarkCluster build() {
    return new TidemarkCluster(this);
  }

  /** The same, and started. */
  public TidemarkCluster start() {
    TidemarkCluster cluster = build();
    cluster.start();
    return cluster;
  }

  int nodes() {
    return nodes;
  }

  String prefix() {
    return prefix;
  }

  boolean ssl() {
    return ssl;
  }

  List<String> additionalArgs() {
    return new ArrayList<>(additionalArgs);
  }

  @Nullable Path directory() {
    return directory;
  }

  Duration startTimeout() {
    return startTimeout;
  }
}
