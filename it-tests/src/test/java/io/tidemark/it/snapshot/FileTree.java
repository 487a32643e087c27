package io.tidemark.it.snapshot;

import com.google.protobuf.ByteString;
import io.tidemark.it.process.Product;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** A directory of real files that a test changes. One thread at a time uses it. */
final class FileTree {
  /** Below the largest request. */
  private static final long FILE_BYTES_MAX = 1 << 20;

  private final Path root;

  FileTree(Path root) {
    this.root = root;
  }

  /** Copies the source files of this project; what a build makes of them stays behind. */
  static FileTree ofOurSources(Path target) {
    Path project = Product.checkout();
    FileTree tree = new FileTree(target);
    try (Stream<Path> modules = Files.list(project)) {
      for (Path source : modules.map(module -> module.resolve("src/main")).sorted().toList()) {
        if (Files.isDirectory(source)) {
          tree.copy(project, source);
        }
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    return tree;
  }

  private void copy(Path project, Path source) throws IOException {
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        write(project.relativize(file).toString(), ByteString.copyFrom(Files.readAllBytes(file)));
      }
    }
  }

  /** Adds what everybody may read below a directory of this machine; links are not followed. */
  void addDirectory(String name, Path source) {
    try {
      Files.walkFileTree(
          source,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes about)
                throws IOException {
              if (about.isRegularFile() && about.size() <= FILE_BYTES_MAX && isPublic(file)) {
                ByteString content = ByteString.copyFrom(Files.readAllBytes(file));
                write(name + "/" + source.relativize(file), content);
              }
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException closed) {
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static boolean isPublic(Path file) throws IOException {
    return Files.isReadable(file)
        && Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ);
  }

  /** Adds the files of an archive whose names begin so. */
  void addArchive(String name, Path archive, String prefix) {
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      for (ZipEntry entry : Collections.list(zip.entries())) {
        if (!entry.isDirectory() && entry.getName().startsWith(prefix)) {
          try (InputStream content = zip.getInputStream(entry)) {
            write(name + "/" + entry.getName(), ByteString.readFrom(content));
          }
        }
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Content by path relative to the root. */
  Map<String, ByteString> files() {
    Map<String, ByteString> files = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path file : paths.filter(Files::isRegularFile).toList()) {
        files.put(root.relativize(file).toString(), ByteString.copyFrom(Files.readAllBytes(file)));
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    return files;
  }

  void write(String name, ByteString content) {
    try {
      Path file = root.resolve(name);
      Files.createDirectories(file.getParent());
      Files.write(file, content.toByteArray());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  void append(String name, String line) {
    try {
      Files.write(
          root.resolve(name), line.getBytes(StandardCharsets.UTF_8), StandardOpenOption.APPEND);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  void rename(String from, String to) {
    try {
      Files.createDirectories(root.resolve(to).getParent());
      Files.move(root.resolve(from), root.resolve(to));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  void delete(String name) {
    try {
      Files.delete(root.resolve(name));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
