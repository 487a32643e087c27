package io.tidemark.server;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.tidemark.clusterconfig.ConfigResult;
import io.tidemark.clusterconfig.MemberConfig;
import io.tidemark.clusterconfig.MemberConfigReader;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A cluster of one member in this JVM, and a channel to it. */
final class LoneMember implements AutoCloseable {
  final Member member;
  final ManagedChannel channel;

  private LoneMember(Member member) {
    this.member = member;
    this.channel =
        NettyChannelBuilder.forAddress("127.0.0.1", member.clientPorts().get(0))
            .usePlaintext()
            .maxInboundMessageSize(Integer.MAX_VALUE)
            .build();
  }

  static LoneMember start(Path data, String... flags) throws Exception {
    return start(config(data, List.of(), flags));
  }

  static LoneMember start(MemberConfig config) throws Exception {
    Member member = Member.start(config, LoneMember::failOnFault);
    member.ready().get(60, TimeUnit.SECONDS);
    return new LoneMember(member);
  }

  /**
   * A configuration on free ports.
   *
   * @param others further entries of the initial cluster
   * @param further flags
   */
  static MemberConfig config(Path data, List<String> others, String... further) throws Exception {
    return config("lone", data, others, further);
  }

  /** As the other, for a member of another name that joins those which are there. */
  static MemberConfig joining(String name, Path data, String others) throws Exception {
    return config(name, data, List.of(others), "--initial-cluster-state=existing");
  }

  private static MemberConfig config(String name, Path data, List<String> others, String... further)
      throws Exception {
    String peer = "http://127.0.0.1:" + freePort();
    List<String> cluster = new ArrayList<>(List.of(name + "=" + peer));
    cluster.addAll(others);
    List<String> flags =
        new ArrayList<>(
            List.of(
                "--name=" + name,
                "--data-dir=" + data,
                "--listen-client-urls=http://127.0.0.1:0",
                "--advertise-client-urls=http://127.0.0.1:2379",
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=" + String.join(",", cluster)));
    flags.addAll(List.of(further));
    ConfigResult result = MemberConfigReader.read(flags.toArray(String[]::new), Map.of());
    if (result instanceof ConfigResult.Valid valid) {
      return valid.config();
    }
    throw new IllegalArgumentException(result.toString());
  }

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static void failOnFault(String member, String what, Throwable cause) {
    throw new AssertionError(member + ": " + what, cause);
  }

  @Override
  public void close() {
    channel.shutdownNow();
    member.close();
  }
}
