package io.tidemark.it.nemesis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The log of a member that is down, as files. Blocks. */
final class LogFiles {
  private static final int HEADER = 8;
  private static final int CHECKSUM = 4;

  private final Path raft;

  LogFiles(Path dataDirectory) {
    this.raft = dataDirectory.resolve("member").resolve("raft");
  }

  Path meta() {
    return named("raft-meta").get(0);
  }

  /** The segment that is being written; empty if there is none. */
  Optional<Path> open() {
    return named("log_inprogress_\\d+").stream().findFirst();
  }

  /** Those that are complete, oldest first. */
  List<Path> closed() {
    return named("log_\\d+-\\d+").stream()
        .sorted(
            Comparator.comparingLong(
                file -> Long.parseLong(file.getFileName().toString().split("[_-]", -1)[1])))
        .toList();
  }

  private List<Path> named(String pattern) {
    try (Stream<Path> files = Files.walk(raft)) {
      return files.filter(file -> file.getFileName().toString().matches(pattern)).toList();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Where the records of a segment end and zeros begin. */
  static int endOfRecords(byte[] segment) {
    int at = HEADER;
    while (at < segment.length && segment[at] != 0) {
      int length = 0;
      int shift = 0;
      byte part;
      do {
        part = segment[at++];
        length |= (part & 0x7f) << shift;
        shift += 7;
      } while (part < 0);
      at += length + CHECKSUM;
    }
    return Math.min(at, segment.length);
  }

  /**
   * Writes the beginning of a record behind the last one, as a power failure leaves it: the length
   * is there, the first sector too, the rest is zeros.
   */
  static void tear(Path segment) {
    try (FileChannel file =
        FileChannel.open(segment, StandardOpenOption.WRITE, StandardOpenOption.READ)) {
      int end = endOfRecords(Files.readAllBytes(segment));
      ByteBuffer torn = ByteBuffer.allocate(4_000);
      torn.put((byte) 0x9c).put((byte) 0x1f); // 3,996 bytes follow, the checksum after them
      while (torn.position() < 300) {
        torn.put((byte) 'x');
      }
      torn.rewind();
      file.write(torn, end);
      file.write(ByteBuffer.allocate(600), end + 4_000L);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
