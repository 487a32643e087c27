package io.tidemark.raftcore;

import io.tidemark.raftcore.settings.PeerMember;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Members in a small file: a line each, the id in hexadecimal, a blank, and the peer URLs. */
final class PeerLines {
  private PeerLines() {}

  static String text(List<PeerMember> members) {
    StringBuilder text = new StringBuilder();
    for (PeerMember member : members) {
      text.append(Long.toHexString(member.id()))
          .append(' ')
          .append(member.peerUrls().stream().map(URI::toString).collect(Collectors.joining(",")))
          .append('\n');
    }
    return text.toString();
  }

  /**
   * Reads such lines. The members have their ids for names.
   *
   * @param file for the message
   * @throws IOException if they are something else
   */
  static List<PeerMember> parse(Path file, List<String> lines) throws IOException {
    List<PeerMember> members = new ArrayList<>();
    try {
      for (String line : lines) {
        String[] words = line.split(" ", -1);
        members.add(
            new PeerMember(
                Long.parseUnsignedLong(words[0], 16),
                words[0],
                Arrays.stream(words[1].split(",", -1)).map(URI::create).toList()));
      }
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      throw new IOException(file + " isn't readable", e);
    }
    return members;
  }
}
