package io.tidemark.clusterconfig;

import java.util.List;
import java.util.Map;

/** Shorthand for reading a configuration in tests. */
final class Reading {
  private Reading() {}

  static MemberConfig config(Map<String, String> env, String... args) {
    return valid(env, args).config();
  }

  static MemberConfig config(String... args) {
    return config(Map.of(), args);
  }

  static List<String> warnings(Map<String, String> env, String... args) {
    return valid(env, args).warnings();
  }

  static ConfigResult.Valid valid(Map<String, String> env, String... args) {
    return MemberConfigReader.read(args, env)
        .on(
            new Expecting<ConfigResult.Valid>() {
              @Override
              public ConfigResult.Valid valid(ConfigResult.Valid valid) {
                return valid;
              }
            });
  }

  static List<String> problems(Map<String, String> env, String... args) {
    return MemberConfigReader.read(args, env)
        .on(
            new Expecting<List<String>>() {
              @Override
              public List<String> invalid(ConfigResult.Invalid invalid) {
                return invalid.problems();
              }
            });
  }

  static List<String> problems(String... args) {
    return problems(Map.of(), args);
  }

  /** Fails for every variant that the test does not expect. */
  static class Expecting<R> implements ConfigResult.Cases<R> {
    @Override
    public R valid(ConfigResult.Valid valid) {
      throw new AssertionError("unexpected: " + valid);
    }

    @Override
    public R invalid(ConfigResult.Invalid invalid) {
      throw new AssertionError("unexpected: " + invalid);
    }

    @Override
    public R help(ConfigResult.Help help) {
      throw new AssertionError("unexpected: " + help);
    }

    @Override
    public R version() {
      throw new AssertionError("unexpected: version");
    }
  }
}
