package io.tidemark.raftcore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tidemark.raftcore.settings.PeerMember;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MembersFileTest {
  private static final PeerMember A = member(0xa, "http://10.0.0.1:2380");
  private static final PeerMember B = member(0xb, "http://10.0.0.2:2380");
  private static final PeerMember MOVED = member(0xa, "http://10.0.0.9:2380");

  @TempDir Path directory;

  private static PeerMember member(long id, String url) {
    return new PeerMember(id, Long.toHexString(id), List.of(URI.create(url)));
  }

  private List<PeerMember> reopened() throws IOException {
    return MembersFile.open(directory, List.of(A)).members();
  }

  @Test
  void theNewestAreThereAfterARestart() throws Exception {
    MembersFile file = MembersFile.open(directory, List.of(A));
    assertEquals(List.of(A), file.members());
    file.keep(3, List.of(A, B));
    file.keep(7, List.of(MOVED, B));
    assertEquals(List.of(MOVED, B), file.members());
    assertEquals(List.of(MOVED, B), reopened());
    assertEquals(
        "1 7\na http://10.0.0.9:2380\nb http://10.0.0.2:2380\n",
        Files.readString(directory.resolve("members")));
  }

  /** A store that lost its end applies old changes again. */
  @Test
  void whatIsAppliedAgainDoesNotReplaceWhatIsNewer() throws Exception {
    MembersFile.open(directory, List.of(A)).keep(7, List.of(MOVED, B));
    MembersFile file = MembersFile.open(directory, List.of(A));
    file.keep(3, List.of(A, B));
    assertEquals(List.of(MOVED, B), file.members());
    assertEquals(List.of(MOVED, B), reopened());
    file.keep(9, List.of(B));
    assertEquals(List.of(B), reopened());
  }

  @Test
  void theSameIsNotWrittenAgain() throws Exception {
    MembersFile file = MembersFile.open(directory, List.of(A));
    file.keep(3, List.of(A));
    file.keep(5, List.of(A));
    assertEquals("1 3\na http://10.0.0.1:2380\n", Files.readString(directory.resolve("members")));
  }

  @Test
  void anotherFormatIsRefused() throws Exception {
    for (String text : List.of("", "2 7\n", "1\n", "1 x\n", "1 7\na\n", "1 7\nzz http://h:1\n")) {
      Files.writeString(directory.resolve("members"), text);
      assertThrows(IOException.class, this::reopened, text);
    }
  }
}
