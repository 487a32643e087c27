package io.tidemark.clusterconfig;

import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The texts that count, whatever their source, with typed access. A text that does not fit its type
 * is recorded as a problem and the flag's default is returned, so that reading goes on and finds
 * the other problems too. Confined to the start-up thread.
 */
final class Settings {
  private final Map<String, Assigned> assigned = new LinkedHashMap<>();
  private final List<String> problems = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private final List<String> suspects = new ArrayList<>();

  /**
   * A value given by the user.
   *
   * @param source how messages refer to the place it came from
   */
  record Assigned(String value, String source) {}

  /** What is wrong, with all suspects behind it. */
  List<String> problems() {
    return problems.isEmpty() ? List.of() : joined(problems, suspects);
  }

  List<String> warnings() {
    return problems.isEmpty() ? joined(warnings, suspects) : warnings;
  }

  private static List<String> joined(List<String> first, List<String> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }

  void problem(String text) {
    problems.add(text);
  }

  void warn(String text) {
    warnings.add(text);
  }

  /**
   * Something that does no harm by itself, but may be the cause of a problem elsewhere, such as a
   * misspelled key: a warning when all else is well, and listed with the problems otherwise.
   */
  void suspect(String text) {
    suspects.add(text);
  }

  void assign(String name, String value, String source) {
    assigned.put(name, new Assigned(value, source));
  }

  boolean isSet(String name) {
    return assigned.containsKey(name);
  }

  /** Where the value of a flag that is set came from. */
  String source(String name) {
    Assigned given = assigned.get(name);
    return given == null ? "default" : given.source();
  }

  /** Whether a flag was given another value than its default; used for flags without effect. */
  boolean differsFromDefault(Flag flag) {
    Assigned given = assigned.get(flag.name());
    return given != null && !given.value().equals(flag.defaultValue());
  }

  String text(String name) {
    Assigned given = assigned.get(name);
    return given == null ? defaultOf(name) : given.value();
  }

  @Nullable Path path(String name) {
    String text = text(name);
    if (text.isEmpty()) {
      return null;
    }
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      invalid(name, e.getReason());
      return null;
    }
  }

  boolean bool(String name) {
    Optional<Boolean> value = truth(text(name));
    if (value.isEmpty()) {
      invalid(name, "parse error");
    }
    return value.orElseGet(() -> Boolean.parseBoolean(defaultOf(name)));
  }

  /** Go's spellings of a truth value. */
  static Optional<Boolean> truth(String text) {
    return switch (text) {
      case "1", "t", "T", "true", "TRUE", "True" -> Optional.of(true);
      case "0", "f", "F", "false", "FALSE", "False" -> Optional.of(false);
      default -> Optional.empty();
    };
  }

  int intBetween(String name, int least, int most) {
    return (int) longBetween(name, least, most);
  }

  long longBetween(String name, long least, long most) {
    String text = text(name);
    try {
      long value = Long.decode(text);
      if (value >= least && value <= most) {
        return value;
      }
      invalid(name, "value out of range [" + least + ", " + most + "]");
    } catch (NumberFormatException e) {
      invalid(name, "parse error");
    }
    return Long.decode(defaultOf(name));
  }

  Duration duration(String name) {
    Optional<Duration> value = GoDuration.parse(text(name));
    if (value.isEmpty()) {
      invalid(name, "parse error");
    } else if (value.get().isNegative()) {
      invalid(name, "must not be negative");
      value = Optional.empty();
    }
    return value.orElseGet(() -> GoDuration.parse(defaultOf(name)).orElse(Duration.ZERO));
  }

  /** Comma-separated texts, blanks dropped. */
  List<String> list(String name) {
    return Arrays.stream(text(name).split(",", -1))
        .map(String::trim)
        .filter(item -> !item.isEmpty())
        .toList();
  }

  List<URI> urls(String name) {
    List<String> found = new ArrayList<>();
    List<URI> urls = UrlList.parse(text(name), found);
    found.forEach(problem -> invalid(name, problem));
    return urls;
  }

  /** One of the constants of an enum, spelled in lower case. */
  <E extends Enum<E>> E choice(String name, Class<E> type) {
    String text = text(name);
    for (E constant : type.getEnumConstants()) {
      if (constant.name().toLowerCase(Locale.ROOT).equals(text)) {
        return constant;
      }
    }
    List<String> known =
        Arrays.stream(type.getEnumConstants())
            .map(constant -> constant.name().toLowerCase(Locale.ROOT))
            .toList();
    invalid(name, "must be one of " + String.join(", ", known));
    return Enum.valueOf(type, defaultOf(name).toUpperCase(Locale.ROOT));
  }

  void invalid(String name, String why) {
    Assigned given = assigned.get(name);
    String source = given == null ? "flag -" + name : given.source();
    problem("invalid value \"" + text(name) + "\" for " + source + ": " + why);
  }

  private static String defaultOf(String name) {
    Flag flag = FlagTable.INSTANCE.find(name);
    if (flag == null) {
      throw new IllegalArgumentException("no such flag: " + name);
    }
    return flag.defaultValue();
  }
}
