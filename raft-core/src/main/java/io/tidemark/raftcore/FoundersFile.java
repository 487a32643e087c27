package io.tidemark.raftcore;

import io.tidemark.raftcore.settings.PeerMember;
import io.tidemark.raftcore.snapshot.DurableFile;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

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
    StringBuilder text = new StringBuilder(VERSION).append('\n');
    for (PeerMember founder : founders) {
      text.append(Long.toHexString(founder.id()))
          .append(' ')
          .append(founder.peerUrls().stream().map(URI::toString).collect(Collectors.joining(",")))
          .append('\n');
    }
    DurableFile.write(directory.resolve(FILE), text.toString());
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
    List<PeerMember> founders = new ArrayList<>();
    try {
      for (String line : lines.subList(1, lines.size())) {
        String[] words = line.split(" ", -1);
        founders.add(
            new PeerMember(
                Long.parseUnsignedLong(words[0], 16),
                words[0],
                Arrays.stream(words[1].split(",", -1)).map(URI::create).toList()));
      }
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      throw new IOException(file + " isn't readable", e);
    }
    return founders;
  }
}
