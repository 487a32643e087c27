package io.tidemark.it.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.it.process.Command;
import io.tidemark.it.process.Command.Ended;
import io.tidemark.it.process.Product;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;

/** The scripts of {@code src/test/node} in a directory where the npm client etcd3 is installed. */
public final class NodeScripts {
  private static final Path SOURCES = Product.checkout().resolve("it-tests/src/test/node");
  private static final Path WORK = Product.checkout().resolve("it-tests/target/node");

  private NodeScripts() {}

  /** Copies the scripts; installs the client if it isn't there yet. */
  public static void install(String... scripts) throws IOException {
    Files.createDirectories(WORK);
    for (String file : new String[] {"package.json", "package-lock.json"}) {
      copy(file);
    }
    for (String script : scripts) {
      copy(script);
    }
    if (!Files.isDirectory(WORK.resolve("node_modules/etcd3"))) {
      Ended installed =
          Command.of("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts")
              .in(WORK)
              .run(Duration.ofMinutes(3));
      assertEquals(0, installed.code(), installed::all);
    }
  }

  /** Runs a script to its end. */
  public static Ended run(String script, String... arguments) {
    return Command.of("node", script).with(arguments).in(WORK).run(Duration.ofSeconds(60));
  }

  private static void copy(String file) throws IOException {
    Files.copy(SOURCES.resolve(file), WORK.resolve(file), StandardCopyOption.REPLACE_EXISTING);
  }
}
