package io.tidemark.it.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.it.process.Product;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that pages and mutants name exist under that name. */
final class NamedTestsTest {
  private static final Path ROOT = Product.checkout();
  private static final Pattern NAMED = Pattern.compile("\\b([A-Z]\\w+(?:Test|IT))(?:#(\\w+))?");

  @Test
  void testsOfTheKnownBugsExist() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/known-bugs-tests.md"));
    List<String> rows = page.lines().filter(line -> line.startsWith("| ")).toList();
    assertTrue(rows.size() > 20, "the table");
    List<String> tests = new ArrayList<>();
    for (String row : rows) {
      String last = row.substring(row.lastIndexOf('|', row.length() - 2));
      tests.addAll(named(last));
    }
    assertEquals(List.of(), missing(tests));
  }

  @Test
  void testsOfTheMutantsExist() throws IOException {
    List<String> tests = new ArrayList<>();
    try (Stream<Path> files = Files.list(ROOT.resolve("it-tests/mutants"))) {
      for (Path file : files.toList()) {
        List<String> lines = Files.readAllLines(file);
        assertTrue(lines.get(0).startsWith("Breaks: "), file + " says what it breaks");
        Path module = ROOT.resolve(lines.get(1).substring("Module: ".length()));
        assertTrue(Files.isDirectory(module.resolve("src/test")), file + " names a module");
        assertTrue(lines.get(2).startsWith("Test: "), file + " names a test");
        tests.addAll(named(lines.get(2)));
      }
    }
    assertTrue(tests.size() >= 25, "mutants");
    assertEquals(List.of(), missing(tests));
  }

  private static List<String> named(String text) {
    List<String> names = new ArrayList<>();
    Matcher matcher = NAMED.matcher(text);
    while (matcher.find()) {
      names.add(matcher.group());
    }
    assertTrue(!names.isEmpty() || text.contains("Tests"), "no test in " + text);
    return names;
  }

  private static List<String> missing(List<String> tests) throws IOException {
    Map<String, String> sources = new HashMap<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path sourceTree : modules.map(module -> module.resolve("src/test/java")).toList()) {
        if (Files.isDirectory(sourceTree)) {
          read(sourceTree, sources);
        }
      }
    }
    return tests.stream().filter(test -> !exists(test, sources)).toList();
  }

  private static void read(Path tree, Map<String, String> sources) throws IOException {
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
        String name = file.getFileName().toString().replace(".java", "");
        sources.merge(name, Files.readString(file), String::concat);
      }
    }
  }

  private static boolean exists(String test, Map<String, String> sources) {
    String[] parts = test.split("#", -1);
    String source = sources.get(parts[0]);
    return source != null && (parts.length == 1 || source.contains("void " + parts[1] + "("));
  }
}
