package io.tidemark.it.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds JDKs in the usual place by the version in their {@code release} file. */
final class InstalledJdks {
  private static final Path JVMS = Path.of("/usr/lib/jvm");

  private InstalledJdks() {}

  static Optional<Path> find(int feature) {
    if (!Files.isDirectory(JVMS)) {
      return Optional.empty();
    }
    try (Stream<Path> homes = Files.list(JVMS)) {
      return homes
          .filter(home -> Files.isExecutable(home.resolve("bin/java")))
          .filter(home -> isFeature(home, feature))
          .sorted()
          .findFirst();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static boolean isFeature(Path home, int feature) {
    try {
      return Files.readString(home.resolve("release")).contains("JAVA_VERSION=\"" + feature);
    } catch (IOException none) {
      return false;
    }
  }
}
