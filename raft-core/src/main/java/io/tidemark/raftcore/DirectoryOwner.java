package io.tidemark.raftcore;

import io.tidemark.raftcore.settings.PeerMember;
import io.tidemark.raftcore.settings.RaftMemberSettings;
import io.tidemark.raftcore.snapshot.DurableFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;

/**
 * Says in a data directory which member of which cluster it belongs to. A founder's ids follow from
 * the flags; a member that opened a directory under other ids would mix two logs in one store, and
 * could vote twice. A member that joined finds its ids here.
 */
final class DirectoryOwner {
  private static final String FILE = "owner";
  private static final String VERSION = "1";

  private DirectoryOwner() {}

  /** A member and its cluster. */
  record Ids(long memberId, long clusterId) {}

  /**
   * Makes sure that a directory belongs to a member, and marks it as that member's if it is new.
   * From then on nobody else on the machine can look into it: it holds hashes of passwords. Nothing
   * is changed if it is another one's.
   *
   * @param directory exists
   * @throws IOException if the directory is another member's, or can't be read or written
   */
  static void claim(Path directory, RaftMemberSettings settings) throws IOException {
    Path file = directory.resolve(FILE);
    if (!Files.exists(file)) {
      mark(directory, settings);
      return;
    }
    Ids found = parse(file);
    if (found.memberId() == settings.memberId() && found.clusterId() == settings.clusterId()) {
      keepPrivate(directory);
      return;
    }
    throw new IOException(
        String.format(
            "data directory %s belongs to member %s of cluster %s, but by its flags this is member"
                + " %x of cluster %x; start it with the peer URLs, initial cluster and token that it"
                + " was first started with, with --initial-cluster-state existing, or in another"
                + " directory",
            settings.dataDirectory(),
            Long.toHexString(found.memberId()),
            Long.toHexString(found.clusterId()),
            settings.memberId(),
            settings.clusterId()));
  }

  /** Marks a directory as a member's, whatever it was before. */
  static void mark(Path directory, RaftMemberSettings settings) throws IOException {
    keepPrivate(directory);
    FoundersFile.write(directory, settings.founders()); // before: the owner makes it count
    DurableFile.write(directory.resolve(FILE), text(settings.memberId(), settings.clusterId()));
  }

  private static void keepPrivate(Path directory) throws IOException {
    try {
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    } catch (UnsupportedOperationException noSuchPermissions) {
      // The file system has its own idea of who may look.
    }
  }

  /** Whose directory it is; nobody's if it is new. */
  static Optional<Ids> read(Path directory) throws IOException {
    Path file = directory.resolve(FILE);
    return Files.exists(file) ? Optional.of(parse(file)) : Optional.empty();
  }

  /** The settings of a directory's owner, whatever ids and founders the flags give. */
  static RaftMemberSettings settings(Path directory, Ids owner, RaftMemberSettings configured)
      throws IOException {
    List<PeerMember> founders =
        Files.exists(directory.resolve(FoundersFile.FILE))
            ? FoundersFile.read(directory)
            : configured.founders();
    return configured.as(owner.clusterId(), owner.memberId(), founders);
  }

  private static Ids parse(Path file) throws IOException {
    String[] words = Files.readString(file, StandardCharsets.UTF_8).strip().split(" ", -1);
    if (words.length != 3 || !words[0].equals(VERSION)) {
      throw new IOException(
          file + " has format '" + words[0] + "', this program knows '" + VERSION + "'");
    }
    try {
      return new Ids(Long.parseUnsignedLong(words[1], 16), Long.parseUnsignedLong(words[2], 16));
    } catch (NumberFormatException e) {
      throw new IOException(file + " names no member", e);
    }
  }

  private static String text(long memberId, long clusterId) {
    return String.format("%s %x %x\n", VERSION, memberId, clusterId);
  }
}
