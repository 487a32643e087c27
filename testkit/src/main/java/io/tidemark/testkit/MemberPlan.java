package io.tidemark.testkit;

import io.tidemark.testkit.network.Network;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How one member is started.
 *
 * @param name its name
 * @param scheme of its client URL
 * @param directory its data directory
 * @param flags its command line
 */
record MemberPlan(String name, String scheme, Path directory, List<String> flags) {
  private static final String ANY_PORT = "127.0.0.1:0";

  MemberPlan {
    flags = List.copyOf(flags);
  }

  /** The plan of member {@code index}. */
  static MemberPlan of(
      ClusterBuilder builder,
      int index,
      Path directory,
      Network network,
      @Nullable TestCertificates certificates) {
    String name = name(builder, index);
    String scheme = certificates == null ? "http" : "https";
    Path data = directory.resolve(name);
    List<String> flags = new ArrayList<>();
    flags.add("--name=" + name);
    flags.add("--data-dir=" + data);
    flags.add("--listen-client-urls=" + scheme + "://" + ANY_PORT);
    flags.add(
        "--advertise-client-urls="
            + scheme
            + "://"
            + TidemarkMember.text(network.clientAddress(index)));
    flags.add("--listen-peer-urls=http://" + ANY_PORT);
    flags.add("--initial-advertise-peer-urls=" + peer(network, index));
    flags.add(
        "--initial-cluster="
            + IntStream.range(0, builder.nodes())
                .mapToObj(i -> name(builder, i) + "=" + peer(network, i))
                .collect(Collectors.joining(",")));
    flags.add("--initial-cluster-token=" + builder.prefix());
    if (certificates != null) {
      flags.add("--cert-file=" + certificates.serverCertFile());
      flags.add("--key-file=" + certificates.serverKeyFile());
      if (asksForCertificates(builder.additionalArgs())) {
        flags.add("--trusted-ca-file=" + certificates.caFile());
      }
    }
    flags.addAll(builder.additionalArgs());
    return new MemberPlan(name, scheme, data, flags);
  }

  /** An authority for clients alone would make every client need a certificate, as in etcd. */
  private static boolean asksForCertificates(List<String> args) {
    return args.contains("--client-cert-auth") || args.contains("--client-cert-auth=true");
  }

  private static String name(ClusterBuilder builder, int index) {
    return builder.prefix() + "-" + index;
  }

  private static String peer(Network network, int index) {
    return "http://" + TidemarkMember.text(network.peerAddress(index));
  }
}
