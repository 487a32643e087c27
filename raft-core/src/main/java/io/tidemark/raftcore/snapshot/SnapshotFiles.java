package io.tidemark.raftcore.snapshot;

import io.tidemark.mvcc.AppliedPosition;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Names and files of snapshots: a directory {@code cp-<term>_<index>} with a checkpoint's files.
 *
 * <p>The digests that Ratis leaves beside received files are not part of a snapshot. Blocks on the
 * disk.
 */
final class SnapshotFiles {
  private static final Pattern NAME = Pattern.compile("cp-(\\d+)_(\\d+)");
  private static final String DIGEST = ".md5";

  private SnapshotFiles() {}

  /** A snapshot on disk. */
  record Found(Path directory, AppliedPosition position) {}

  static String name(AppliedPosition position) {
    return "cp-" + position.term() + "_" + position.index();
  }

  /** The snapshots below a directory, newest first. */
  static List<Found> list(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    List<Found> found = new ArrayList<>();
    try (Stream<Path> children = Files.list(directory)) {
      children.forEach(child -> parse(child).ifPresent(found::add));
    }
    found.sort(Comparator.comparingLong((Found f) -> f.position().index()).reversed());
    return found;
  }

  private static Optional<Found> parse(Path child) {
    Matcher matcher = NAME.matcher(child.getFileName().toString());
    if (!matcher.matches() || !Files.isDirectory(child)) {
      return Optional.empty();
    }
    AppliedPosition position =
        new AppliedPosition(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)));
    return Optional.of(new Found(child, position));
  }

  /** The files that make up a snapshot. */
  static List<Path> filesOf(Path snapshot) throws IOException {
    try (Stream<Path> tree = Files.walk(snapshot)) {
      return tree.filter(Files::isRegularFile)
          .filter(f -> !f.getFileName().toString().endsWith(DIGEST))
          .sorted()
          .toList();
    }
  }

  /**
   * Copies a snapshot durably. Table files are never written again, so they are linked; everything
   * else the store will write to.
   */
  static void copy(Path snapshot, Path target) throws IOException {
    Files.createDirectories(target);
    for (Path file : filesOf(snapshot)) {
      Path copy = target.resolve(snapshot.relativize(file).toString());
      Files.createDirectories(copy.getParent());
      if (file.getFileName().toString().endsWith(".sst")) {
        link(file, copy);
      } else {
        Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
      }
      DurableFile.syncContent(copy); // received files were never synced
    }
    DurableFile.syncEntries(target);
  }

  private static void link(Path file, Path copy) throws IOException {
    try {
      Files.createLink(copy, file);
    } catch (UnsupportedOperationException e) {
      Files.copy(file, copy);
    }
  }

  static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path dir, IOException e) throws IOException {
            Files.deleteIfExists(dir);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
