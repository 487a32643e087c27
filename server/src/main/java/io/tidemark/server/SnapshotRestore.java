package io.tidemark.server;

import io.tidemark.clusterconfig.ConfigResult;
import io.tidemark.clusterconfig.MemberConfig;
import io.tidemark.clusterconfig.MemberConfigReader;
import io.tidemark.raftcore.FoundingStore;
import io.tidemark.raftcore.settings.RaftMemberSettings;
import io.tidemark.statemachine.backup.SnapshotFile;
import io.tidemark.statemachine.backup.StoreImport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What can be done with a snapshot file without a running member: look at it, and make a founder's
 * data directory out of it. Blocks on the disk.
 */
public final class SnapshotRestore {
  private SnapshotRestore() {}

  /**
   * What a file holds.
   *
   * @param hash CRC-32C of all names of buckets, keys and values, unsigned
   * @param revision of the last entry
   * @param totalKeys entries of all buckets
   * @param totalSize bytes of all pages
   */
  public record FileStatus(long hash, long revision, long totalKeys, long totalSize) {}

  /**
   * A founder to be.
   *
   * @param file a snapshot, or a member's data file
   * @param flags the member's flags that found the cluster: name, data directory, initial cluster,
   *     token, advertised peer URLs
   * @param checkDigest whether the file must end with the digest of what is before
   * @param bumpRevision added to the revision
   * @param markCompacted whether everything up to the new revision is compacted
   */
  public record Wish(
      Path file,
      List<String> flags,
      boolean checkDigest,
      long bumpRevision,
      boolean markCompacted) {
    public Wish {
      flags = List.copyOf(flags);
    }
  }

  /** A founder's data directory, and what is in it. */
  public record Restored(
      Path dataDirectory, long memberId, long clusterId, long revision, long compactRevision) {}

  /**
   * Reads a whole file.
   *
   * @throws IOException if it can't be read or is no good; the message is for the user
   */
  public static FileStatus status(Path file) throws IOException {
    try (SnapshotFile snapshot = SnapshotFile.open(file, SnapshotFile.Digest.IF_PRESENT)) {
      SnapshotFile.Status status = snapshot.status();
      return new FileStatus(
          status.hash(), status.revision(), status.totalKeys(), status.totalSize());
    }
  }

  /**
   * Makes sure that a snapshot is whole, without looking at what it holds.
   *
   * @throws IOException as above
   */
  public static void verify(Path file) throws IOException {
    SnapshotFile.open(file, SnapshotFile.Digest.REQUIRED).close();
  }

  /**
   * Makes the data directory of one founder. The same file and cluster give the other founders
   * equal stores.
   *
   * @throws IOException as above, or if the directory isn't empty
   * @throws IllegalArgumentException if the flags are wrong; one problem a line
   */
  public static Restored restore(Wish wish) throws IOException {
    RaftMemberSettings settings = MemberSettings.raft(config(wish.flags()));
    Path data = settings.dataDirectory();
    requireEmpty(data);
    SnapshotFile.Digest digest =
        wish.checkDigest() ? SnapshotFile.Digest.REQUIRED : SnapshotFile.Digest.IGNORED;
    try (SnapshotFile file = SnapshotFile.open(wish.file(), digest)) {
      StoreImport.Changes changes =
          new StoreImport.Changes(wish.bumpRevision(), wish.markCompacted());
      StoreImport.Loaded loaded =
          FoundingStore.layOut(
              settings,
              (store, genesis) ->
                  StoreImport.load(file, store, settings.mvccLimits(), genesis, changes));
      return new Restored(
          data,
          settings.memberId(),
          settings.clusterId(),
          loaded.revision(),
          loaded.compactRevision());
    }
  }

  private static MemberConfig config(List<String> flags) {
    return MemberConfigReader.read(flags.toArray(String[]::new), Map.of()).on(new Checked());
  }

  private static void requireEmpty(Path data) throws IOException {
    if (!Files.exists(data)) {
      return;
    }
    try (Stream<Path> children = Files.list(data)) {
      if (children.anyMatch(child -> !child.endsWith("member.restoring"))) {
        throw new IOException("data-dir \"" + data + "\" not empty or could not be read");
      }
    }
  }

  private static final class Checked implements ConfigResult.Cases<MemberConfig> {
    @Override
    public MemberConfig valid(ConfigResult.Valid valid) {
      return valid.config();
    }

    @Override
    public MemberConfig invalid(ConfigResult.Invalid invalid) {
      throw new IllegalArgumentException(String.join("\n", invalid.problems()));
    }

    @Override
    public MemberConfig help(ConfigResult.Help help) {
      throw new IllegalArgumentException("help isn't a founder");
    }

    @Override
    public MemberConfig version() {
      throw new IllegalArgumentException("version isn't a founder");
    }
  }
}
