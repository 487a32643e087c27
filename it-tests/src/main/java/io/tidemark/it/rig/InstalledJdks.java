package io.tidemark.it.rig;

import io.tidemark.it.process.Command;
import io.tidemark.it.process.Command.Ended;
import io.tidemark.it.process.Product;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds JDKs in the usual place by the version in their {@code release} file, or as we start. */
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

  /** Asks the launcher, so that both always agree. */
  static Path newest() {
    Ended found =
        Command.of("bash", "-c", ". \"$0\"; find_jdk; printf %s \"$JDK\"")
            .with(Product.script("common.sh").toString())
            .run(Duration.ofSeconds(20));
    if (found.code() != 0) {
      throw new IllegalStateException("no JDK: " + found.all());
    }
    return Path.of(found.out());
  }

  private static boolean isFeature(Path home, int feature) {
    try {
      return Files.readString(home.resolve("release")).contains("JAVA_VERSION=\"" + feature);
    } catch (IOException none) {
      return false;
    }
  }
}
