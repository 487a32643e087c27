package io.tidemark.clusterconfig;

import java.util.List;

/** What came of reading the command line. */
public sealed interface ConfigResult {

  /** Calls the method of {@code cases} that fits. */
  <R> R on(Cases<R> cases);

  /** One method per variant. */
  interface Cases<R> {
    R valid(Valid valid);

    R invalid(Invalid invalid);

    R help(Help help);

    R version();
  }

  /** A configuration to start with, and remarks worth logging. */
  record Valid(MemberConfig config, List<String> warnings) implements ConfigResult {
    public Valid {
      warnings = List.copyOf(warnings);
    }

    @Override
    public <R> R on(Cases<R> cases) {
      return cases.valid(this);
    }
  }

  /** Everything that is wrong, not only the first thing. Never empty. */
  record Invalid(List<String> problems, List<String> warnings) implements ConfigResult {
    public Invalid {
      problems = List.copyOf(problems);
      warnings = List.copyOf(warnings);
    }

    @Override
    public <R> R on(Cases<R> cases) {
      return cases.invalid(this);
    }
  }

  /** {@code --help}: print {@code text} and leave. */
  record Help(String text) implements ConfigResult {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.help(this);
    }
  }

  /** {@code --version}: print the version and leave. */
  record Version() implements ConfigResult {
    @Override
    public <R> R on(Cases<R> cases) {
      return cases.version();
    }
  }
}
