package io.tidemark.it.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.it.process.Command;
import io.tidemark.it.process.Command.Ended;
import io.tidemark.it.process.Product;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** A metrics page as Prometheus's own client library for Python reads it. */
public final class Scrape {
  private static final Path SCRIPT =
      Product.checkout().resolve("it-tests/src/test/python/scrape.py");

  /** Debian's, whatever else is on the path: its package brings the library along. */
  private static final String PYTHON = "/usr/bin/python3";

  private Scrape() {}

  /**
   * Reads the page of a member, and fails if anything in it is wrong.
   *
   * @return type and labels, {@code gauge [a, b]}, by the names of the families, without the {@code
   *     _total} of counters
   */
  public static Map<String, String> of(URI clientUrl) {
    Ended ended =
        Command.of(PYTHON, SCRIPT.toString(), clientUrl.resolve("/metrics").toString())
            .run(Duration.ofSeconds(30));
    assertEquals(0, ended.code(), ended::all);
    Map<String, String> families = new TreeMap<>();
    ended
        .out()
        .lines()
        .map(line -> line.split(" ", -1))
        .forEach(words -> families.put(words[0], shape(words[1], words[2].replace(",", ", "))));
    return families;
  }

  /** Type and labels as {@link #of} tells them. */
  public static String shape(String type, String labels) {
    return type + " [" + labels + "]";
  }
}
