package io.tidemark.raftcore;

import io.tidemark.raftcore.settings.PeerMember;
import io.tidemark.raftcore.snapshot.DurableFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Keeps in a data directory with which members the cluster began: a member that joined can't work
 * that out from its flags, and needs it until its first entry is applied.
 */
final class FoundersFile {
  static final String FILE = "founders";
  private static final String VERSION = "1";

  private FoundersFile() {}

  /** Writes the file; on disk when this returns. */
  static void write(Path directory, List<PeerMember> founders) throws IOException {
    DurableFile.write(directory.resolve(FILE), VERSION + "\n" + PeerLines.text(founders));
  }

  /**
   * Reads the file.
   *
   * @throws IOException if there is none, or it isn't readable
   */
  static List<PeerMember> read(Path directory) throws IOException {
    Path file = directory.resolve(FILE);
    List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    if (lines.isEmpty() || !lines.get(0).equals(VERSION)) {
      throw new IOException(file + " has a format that this program doesn't know");
    }
    return PeerLines.parse(file, lines.subList(1, lines.size()));
  }
}
