package io.tidemark.ctl;

import io.tidemark.server.SnapshotRestore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Which founder of which new cluster a file is restored for, in etcd's spelling. */
final class FounderOptions {
  @Option(
      names = "--name",
      defaultValue = "default",
      description = "The member's name (default: ${DEFAULT-VALUE}).")
  String name = "default";

  @Option(
      names = "--data-dir",
      defaultValue = "",
      description = "Its data directory, absent or empty (default: NAME.etcd).")
  String dataDir = "";

  @Option(
      names = "--initial-cluster",
      defaultValue = "default=http://localhost:2380",
      description = "All founders as NAME=PEER-URL, comma-separated (default: ${DEFAULT-VALUE}).")
  String initialCluster = "default=http://localhost:2380";

  @Option(
      names = "--initial-cluster-token",
      defaultValue = "etcd-cluster",
      description = "Keeps clusters apart (default: ${DEFAULT-VALUE}).")
  String token = "etcd-cluster";

  @Option(
      names = "--initial-advertise-peer-urls",
      defaultValue = "http://localhost:2380",
      description = "The member's own peer URLs (default: ${DEFAULT-VALUE}).")
  String peerUrls = "http://localhost:2380";

  @Option(
      names = "--bump-revision",
      defaultValue = "0",
      description = "Add this to the revision; with --mark-compacted.")
  long bumpRevision;

  @Option(
      names = "--mark-compacted",
      description = "Count everything up to the new revision as compacted; with --bump-revision.")
  boolean markCompacted;

  /** Restores, and tells what came of it. */
  void restore(Session session, Path file, boolean checkDigest) {
    if (markCompacted != (bumpRevision != 0)) {
      throw CommandFailure.badArguments(
          "if any flags in the group [bump-revision mark-compacted] are set they must all be set;"
              + " missing ["
              + (markCompacted ? "bump-revision" : "mark-compacted")
              + "]");
    }
    if (bumpRevision < 0) {
      throw CommandFailure.badArguments("--bump-revision must not be negative");
    }
    SnapshotRestore.Restored done;
    try {
      done =
          SnapshotRestore.restore(
              new SnapshotRestore.Wish(
                  file, memberFlags(), checkDigest, bumpRevision, markCompacted));
    } catch (IllegalArgumentException e) {
      throw CommandFailure.badArguments(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw SnapshotCommand.failure(e);
    }
    session
        .out()
        .printf(
            "Restored %s into %s: revision %d%s, member %x of cluster %x%n",
            file,
            done.dataDirectory(),
            done.revision(),
            done.compactRevision() < 0 ? "" : " (compacted up to " + done.compactRevision() + ")",
            done.memberId(),
            done.clusterId());
  }

  private List<String> memberFlags() {
    List<String> flags = new ArrayList<>();
    flags.add("--name=" + name);
    flags.add("--data-dir=" + (dataDir.isEmpty() ? name + ".etcd" : dataDir));
    flags.add("--initial-cluster=" + initialCluster);
    flags.add("--initial-cluster-state=new");
    flags.add("--initial-cluster-token=" + token);
    flags.add("--initial-advertise-peer-urls=" + peerUrls);
    return flags;
  }
}
