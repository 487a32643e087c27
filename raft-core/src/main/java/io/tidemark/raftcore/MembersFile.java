package io.tidemark.raftcore;

import io.tidemark.raftcore.settings.PeerMember;
import io.tidemark.raftcore.snapshot.DurableFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Keeps in a data directory who the members are and where. What is applied is on disk only when the
 * store flushes; a member that lost it applies its log again, but only once a leader says how much
 * of it counts. If the founders have gone or moved since, nobody would find anybody.
 *
 * <p>{@link #keep} is called by one thread at a time, {@link #members} by any.
 */
final class MembersFile {
  static final String FILE = "members";
  private static final String VERSION = "1";

  private final Path file;
  private volatile Content content;

  /** The members as they were once the entry at an index was applied. */
  private record Content(long index, List<PeerMember> members) {}

  private MembersFile(Path file, Content content) {
    this.file = file;
    this.content = content;
  }

  /**
   * Opens the file.
   *
   * @param founders are the members if there is no file yet
   */
  static MembersFile open(Path directory, List<PeerMember> founders) throws IOException {
    Path file = directory.resolve(FILE);
    return new MembersFile(
        file, Files.exists(file) ? read(file) : new Content(-1, List.copyOf(founders)));
  }

  private static Content read(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    String[] words = lines.isEmpty() ? new String[0] : lines.get(0).split(" ", -1);
    if (words.length != 2 || !words[0].equals(VERSION)) {
      throw new IOException(file + " has a format that this program doesn't know");
    }
    try {
      return new Content(
          Long.parseLong(words[1]), PeerLines.parse(file, lines.subList(1, lines.size())));
    } catch (NumberFormatException e) {
      throw new IOException(file + " isn't readable", e);
    }
  }

  /** The newest that are known: an entry's, or the founders. */
  List<PeerMember> members() {
    return content.members();
  }

  /**
   * Takes down the members after an entry, unless those after a later one are known. On disk when
   * this returns; blocks on it only if something has changed.
   */
  void keep(long index, List<PeerMember> members) {
    Content known = content;
    if (index < known.index() || (known.index() >= 0 && same(members, known.members()))) {
      return;
    }
    try {
      DurableFile.write(file, VERSION + " " + index + "\n" + PeerLines.text(members));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    content = new Content(index, List.copyOf(members));
  }

  private static boolean same(List<PeerMember> some, List<PeerMember> others) {
    return PeerLines.text(some).equals(PeerLines.text(others));
  }
}
