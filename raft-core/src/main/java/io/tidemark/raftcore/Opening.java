package io.tidemark.raftcore;

import io.tidemark.raftcore.apply.Replica;
import io.tidemark.raftcore.metrics.SnapshotMetrics;
import io.tidemark.raftcore.ratis.RatisNode;
import io.tidemark.raftcore.settings.RaftMemberSettings;
import io.tidemark.raftcore.snapshot.DurableFile;
import io.tidemark.raftcore.snapshot.StoreHome;
import io.tidemark.statemachine.Genesis;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Opens what a directory holds of a member, and says what to do when that can't be trusted. A
 * directory is marked once it has a log: one that came back without it would take itself for new,
 * could vote twice in a term, and would count as having what it has no more.
 */
final class Opening {
  private static final String LOG_BEGUN = "log-begun";
  private static final String META = "raft-meta";

  private Opening() {}

  static Replica store(Path where, StoreHome home, Genesis genesis, SnapshotMetrics metrics)
      throws IOException {
    try {
      return new Replica(home, genesis, metrics);
    } catch (RuntimeException e) {
      throw FaultAdvice.opening("the store", where, e);
    }
  }

  /** Opens the log and joins the group. */
  static void log(RaftMemberSettings settings, RatisNode node) throws IOException {
    Path member = settings.dataDirectory().resolve("member");
    Path raft = member.resolve("raft");
    Path group = raft.resolve(RatisNode.group(settings.clusterId()).toString());
    Path mark = member.resolve(LOG_BEGUN);
    boolean begun = Files.exists(mark);
    try {
      if (begun) {
        refuseWithout(group.resolve("current").resolve(META));
      }
      node.start();
    } catch (IOException | RuntimeException e) {
      throw FaultAdvice.opening("the log", raft, e);
    }
    if (!begun) {
      DurableFile.write(mark, "1\n");
    }
  }

  private static void refuseWithout(Path meta) throws FileNotFoundException {
    if (!Files.exists(meta)) {
      throw new FileNotFoundException("there was a log, and now there is no " + meta);
    }
  }

  /** Ratis would log a failure to bind at length, and name no cause. */
  static void probePeerPort(RaftMemberSettings settings) throws IOException {
    InetSocketAddress address = new InetSocketAddress(settings.peerHost(), settings.peerPort());
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(address);
    } catch (IOException e) {
      throw new IOException(
          "cannot listen for peers on "
              + settings.peerHost()
              + ":"
              + settings.peerPort()
              + ": "
              + e.getMessage(),
          e);
    }
  }
}
