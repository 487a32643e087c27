package io.tidemark.it.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a member process runs. Both understand the same flags and print the same ready line; the
 * second checks the rig itself against the original.
 */
public enum Product {
  /** Ours, through {@code scripts/tidemark}. */
  TIDEMARK,
  /** A real etcd from the search path. */
  ETCD;

  /** The one that {@code it.product} names; ours unless told. */
  public static Product underTest() {
    return valueOf(System.getProperty("it.product", "tidemark").toUpperCase(Locale.ROOT));
  }

  /** The command line's first words. */
  List<String> command() {
    return this == TIDEMARK ? List.of(script("tidemark").toString()) : List.of("etcd");
  }

  /** A script of the checkout that this test runs in. */
  public static Path script(String name) {
    return checkout().resolve("scripts").resolve(name);
  }

  /**
   * The checkout's top directory: {@code it.home}, else the nearest parent with a scripts folder.
   */
  public static Path checkout() {
    String home = System.getProperty("it.home");
    if (home != null) {
      return Path.of(home);
    }
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = parent(at)) {
      if (Files.isDirectory(at.resolve("it-tests")) && Files.exists(at.resolve("pom.xml"))) {
        return at;
      }
    }
    throw new IllegalStateException("not inside a checkout: " + Path.of("").toAbsolutePath());
  }

  private static @Nullable Path parent(Path path) {
    return path.getParent();
  }
}
