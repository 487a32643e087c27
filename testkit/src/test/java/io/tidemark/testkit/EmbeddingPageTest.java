package io.tidemark.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each Java snippet of docs/embedding.md stands, word for word, in a test that runs. */
class EmbeddingPageTest {
  private static final Pattern SNIPPET = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @Test
  void snippetsAreTested() throws IOException {
    List<String> sources = new ArrayList<>();
    for (String tree : List.of("src/test/java", "../examples/src")) {
      try (Stream<Path> files = Files.walk(Path.of(tree))) {
        for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
          sources.add(words(Files.readString(file)));
        }
      }
    }
    Matcher snippets = SNIPPET.matcher(Files.readString(Path.of("../docs/embedding.md")));
    int count = 0;
    while (snippets.find()) {
      for (String part : snippets.group(1).split("\n\\s*// \\.\\.\\.\n", -1)) {
        String wanted = words(part);
        assertTrue(
            sources.stream().anyMatch(source -> source.contains(wanted)),
            () -> "untested: " + part);
        count++;
      }
    }
    assertTrue(count >= 4, "only " + count + " snippets");
  }

  /** Layout is of no account. */
  private static String words(String text) {
    return text.replaceAll("\\s+", "");
  }
}
