package io.tidemark.it.process;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Everything needed to start one member, again and again.
 *
 * @param name the member's name
 * @param clientPort loopback port for clients
 * @param peerPort loopback port for other members
 * @param peerScheme http or https
 * @param home an existing directory of the cluster; data and logs stand here under the name
 * @param initialCluster the flag's value, the same for all members
 * @param flags further flags of this member; they win over those that follow from the rest
 * @param environment variables added to this test's own
 */
public record MemberSpec(
    String name,
    int clientPort,
    int peerPort,
    String peerScheme,
    Path home,
    String initialCluster,
    List<String> flags,
    Map<String, String> environment) {
  public MemberSpec {
    flags = List.copyOf(flags);
    environment = Map.copyOf(environment);
  }

  /** The data directory. */
  public Path dataDir() {
    return home.resolve(name);
  }

  public URI clientUrl() {
    return URI.create("http://127.0.0.1:" + clientPort);
  }

  public URI peerUrl() {
    return URI.create(peerScheme + "://127.0.0.1:" + peerPort);
  }

  /** {@code host:port} for clients. */
  public String endpoint() {
    return "127.0.0.1:" + clientPort;
  }

  /** The same member with other variables added. */
  public MemberSpec with(Map<String, String> added) {
    Map<String, String> all = new HashMap<>(environment);
    all.putAll(added);
    return new MemberSpec(name, clientPort, peerPort, peerScheme, home, initialCluster, flags, all);
  }

  /** What founds the cluster; the commands that restore a member take the same. */
  public List<String> founderFlags() {
    return List.of(
        "--name=" + name,
        "--data-dir=" + dataDir(),
        "--initial-advertise-peer-urls=" + peerUrl(),
        "--initial-cluster=" + initialCluster,
        "--initial-cluster-token=it-" + home.getFileName());
  }

  /** The same member with another initial cluster and other flags. */
  public MemberSpec among(String cluster, List<String> changed) {
    return new MemberSpec(
        name, clientPort, peerPort, peerScheme, home, cluster, changed, environment);
  }

  List<String> commandLine(Product product) {
    List<String> words = new ArrayList<>(product.command());
    words.addAll(allFlags());
    return words;
  }

  /** All that the member is started with. */
  public List<String> allFlags() {
    List<String> words = new ArrayList<>(founderFlags());
    words.add("--listen-client-urls=" + clientUrl());
    words.add("--advertise-client-urls=" + clientUrl());
    words.add("--listen-peer-urls=" + peerUrl());
    words.add("--initial-cluster-state=new");
    words.addAll(flags);
    return words;
  }
}
