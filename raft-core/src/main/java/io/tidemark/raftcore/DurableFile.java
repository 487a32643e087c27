package io.tidemark.raftcore;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Small files that are there as a whole or not at all, whenever the power fails. */
final class DurableFile {
  private DurableFile() {}

  /** Replaces {@code file}; on disk when this returns. */
  static void write(Path file, String text) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(fresh, text, StandardCharsets.UTF_8);
    sync(fresh, StandardOpenOption.WRITE);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    sync(file.resolveSibling("."), StandardOpenOption.READ);
  }

  private static void sync(Path path, StandardOpenOption how) throws IOException {
    try (FileChannel channel = FileChannel.open(path, how)) {
      channel.force(true);
    }
  }
}
