package io.tidemark.it.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A file system in memory, small enough to be filled. Needs the right to mount. Blocks. */
public final class SmallDisk implements AutoCloseable {
  private static final String SIZE = "160m";

  private final Path at;

  private SmallDisk(Path at) {
    this.at = at;
  }

  /** Mounts one; the directory is made if it is missing. */
  static SmallDisk mount(Path at) {
    try {
      Files.createDirectories(at);
      if (!run("mount", "-t", "tmpfs", "-o", "size=" + SIZE, "tidemark-it", at.toString())) {
        throw new IOException("can't mount a file system on " + at);
      }
      return new SmallDisk(at);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Whether this process may mount. */
  public static boolean available() {
    try {
      Path probe = Files.createTempDirectory("small-disk");
      try (SmallDisk disk = mount(probe)) {
        return Files.isDirectory(disk.at);
      } catch (UncheckedIOException refused) {
        return false;
      } finally {
        Files.delete(probe);
      }
    } catch (IOException failed) {
      return false;
    }
  }

  private static boolean run(String... words) {
    try {
      Process process =
          new ProcessBuilder(words)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException missing) {
      return false;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void close() {
    if (!run("umount", at.toString())) {
      run("umount", "-l", at.toString());
    }
  }
}
