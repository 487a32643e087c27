package io.tidemark.raftcore;

import io.tidemark.raftcore.settings.RaftMemberSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Says in a data directory which member of which cluster it belongs to. Both ids follow from the
 * flags; a member that opened a directory under other ids would mix two logs in one store, and
 * could vote twice.
 */
final class DirectoryOwner {
  private static final String FILE = "owner";
  private static final String VERSION = "1";

  private DirectoryOwner() {}

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
    String own = text(settings.memberId(), settings.clusterId());
    if (!Files.exists(file)) {
      keepPrivate(directory);
      DurableFile.write(file, own);
      return;
    }
    String found = Files.readString(file, StandardCharsets.UTF_8);
    if (found.equals(own)) {
      keepPrivate(directory);
      return;
    }
    String[] words = found.strip().split(" ", -1);
    if (words.length != 3 || !words[0].equals(VERSION)) {
      throw new IOException(
          file + " has format '" + words[0] + "', this program knows '" + VERSION + "'");
    }
    throw new IOException(
        String.format(
            "data directory %s belongs to member %s of cluster %s, but by its flags this is member"
                + " %x of cluster %x; start it with the peer URLs, initial cluster and token that it"
                + " was first started with, or in another directory",
            settings.dataDirectory(),
            words[1],
            words[2],
            settings.memberId(),
            settings.clusterId()));
  }

  /** Marks a directory as a member's, whatever it was before. */
  static void mark(Path directory, RaftMemberSettings settings) throws IOException {
    keepPrivate(directory);
    DurableFile.write(directory.resolve(FILE), text(settings.memberId(), settings.clusterId()));
  }

  private static void keepPrivate(Path directory) throws IOException {
    try {
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    } catch (UnsupportedOperationException noSuchPermissions) {
      // The file system has its own idea of who may look.
    }
  }

  private static String text(long memberId, long clusterId) {
    return String.format("%s %x %x\n", VERSION, memberId, clusterId);
  }
}
