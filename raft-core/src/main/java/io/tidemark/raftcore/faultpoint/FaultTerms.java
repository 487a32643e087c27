package io.tidemark.raftcore.faultpoint;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a fault point does, as gofail writes it: {@code [CHANCE%][COUNT*]KIND[(VALUE)]}, several of
 * them joined by {@code ->}. The kinds are {@code off}, {@code sleep(MILLIS)}, {@code
 * sleep("DURATION")}, {@code panic} and {@code print}. A term with a count is passed over once it
 * is used up. Thread-safe.
 */
final class FaultTerms {
  private static final Pattern TERM =
      Pattern.compile("(?:([0-9.]+)%)?(?:(\\d+)\\*)?(off|sleep|panic|print)(?:\\((.*)\\))?");

  private static final Pattern DURATION = Pattern.compile("([0-9.]+)(ms|s|us|m)");

  /** Kinds of effects. */
  enum Kind {
    OFF,
    SLEEP,
    PANIC,
    PRINT
  }

  /** What to do now; the time is for sleeping. */
  record Effect(Kind kind, Duration time) {
    static final Effect NONE = new Effect(Kind.OFF, Duration.ZERO);
  }

  private record Term(double chance, AtomicLong left, Effect effect) {}

  private final String text;
  private final List<Term> terms = new ArrayList<>();
  private final Random random = new Random();

  private FaultTerms(String text) {
    this.text = text;
  }

  /**
   * Reads them.
   *
   * @throws IllegalArgumentException if they aren't in the form above
   */
  static FaultTerms parse(String text) {
    FaultTerms all = new FaultTerms(text.strip());
    for (String part : all.text.split("->", -1)) {
      Matcher term = TERM.matcher(part.strip());
      if (!term.matches()) {
        throw new IllegalArgumentException("failpoint: could not parse terms: " + text.strip());
      }
      double chance = term.group(1) == null ? 1 : Double.parseDouble(term.group(1)) / 100;
      long count = term.group(2) == null ? Long.MAX_VALUE : Long.parseLong(term.group(2));
      String value = term.group(4) == null ? "" : term.group(4).replace("\"", "");
      all.terms.add(new Term(chance, new AtomicLong(count), effect(term.group(3), value)));
    }
    return all;
  }

  private static Effect effect(String kind, String value) {
    Kind known = Kind.valueOf(kind.toUpperCase(Locale.ROOT));
    return new Effect(known, known == Kind.SLEEP ? duration(value) : Duration.ZERO);
  }

  private static Duration duration(String value) {
    Matcher match = DURATION.matcher(value);
    if (value.matches("\\d+")) {
      return Duration.ofMillis(Long.parseLong(value));
    }
    if (!match.matches()) {
      throw new IllegalArgumentException("failpoint: could not parse a duration: " + value);
    }
    double number = Double.parseDouble(match.group(1));
    double nanos =
        switch (match.group(2)) {
          case "us" -> number * 1e3;
          case "ms" -> number * 1e6;
          case "s" -> number * 1e9;
          default -> number * 60e9;
        };
    return Duration.ofNanos((long) nanos);
  }

  /** What to do at this hit. */
  Effect next() {
    for (Term term : terms) {
      if (term.chance < 1 && random.nextDouble() >= term.chance) {
        continue;
      }
      if (term.left.get() == Long.MAX_VALUE
          || term.left.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
        return term.effect;
      }
    }
    return Effect.NONE;
  }

  /** As they were written. */
  @Override
  public String toString() {
    return text;
  }
}
