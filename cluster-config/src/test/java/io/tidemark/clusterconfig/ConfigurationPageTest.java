package io.tidemark.clusterconfig;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/configuration.md} lists the flags that the parser knows, in the words of the help.
 */
class ConfigurationPageTest {
  private static final Path PAGE = Path.of("..", "docs", "configuration.md");

  private static String row(Flag flag) {
    String value = flag.defaultValue().isEmpty() ? "" : "`" + flag.defaultValue() + "`";
    return "| `--%s` | `%s` | %s | %s | %s |"
        .formatted(
            flag.name(), flag.environmentName(), value, flag.text(), effect(flag.standing()));
  }

  private static String effect(Flag.Standing standing) {
    return switch (standing) {
      case HONOURED -> "yes";
      case PENDING -> "not yet; warns";
      case REFUSED -> "refused";
      case FOREIGN -> "none; warns";
    };
  }

  @Test
  void everyFlagHasItsRow() throws Exception {
    List<String> rows =
        Files.readAllLines(PAGE).stream().filter(line -> line.startsWith("| `--")).toList();
    String expected =
        FlagTable.INSTANCE.all().stream()
            .map(ConfigurationPageTest::row)
            .collect(Collectors.joining("\n"));
    assertEquals(expected, String.join("\n", rows));
  }
}
