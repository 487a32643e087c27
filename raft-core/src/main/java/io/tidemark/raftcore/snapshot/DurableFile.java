package io.tidemark.raftcore.snapshot;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** What has to be on disk when a call returns, whenever the power fails. Blocks on the disk. */
public final class DurableFile {
  private DurableFile() {}

  /** Replaces a small file, which is there as a whole or not at all. */
  public static void write(Path file, String text) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(fresh, text, StandardCharsets.UTF_8);
    syncContent(fresh);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    syncEntries(file.resolveSibling("."));
  }

  /** Makes a file's content durable. */
  public static void syncContent(Path file) throws IOException {
    sync(file, StandardOpenOption.WRITE);
  }

  /** Makes a directory's entries durable. */
  public static void syncEntries(Path directory) throws IOException {
    sync(directory, StandardOpenOption.READ);
  }

  private static void sync(Path path, StandardOpenOption how) throws IOException {
    try (FileChannel channel = FileChannel.open(path, how)) {
      channel.force(true);
    }
  }
}
