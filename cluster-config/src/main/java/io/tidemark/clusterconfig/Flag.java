package io.tidemark.clusterconfig;

import java.util.Locale;

/**
 * One flag of the command line.
 *
 * @param name as spelled on the command line, without dashes
 * @param kind what its value looks like
 * @param defaultValue as one would type it
 * @param standing what becomes of a value given by the user
 * @param text one line of help
 */
record Flag(String name, Kind kind, String defaultValue, Standing standing, String text) {

  /** Shapes of values. */
  enum Kind {
    TEXT,
    BOOL,
    /** Whole number from 0. */
    COUNT,
    /** Whole number of either sign. */
    NUMBER,
    DURATION,
    /** Comma-separated texts. */
    LIST,
    URLS
  }

  /** Whether the value changes anything. */
  enum Standing {
    /** Honoured, or carried in the configuration for the part that honours it. */
    HONOURED,
    /** Accepted, but has no effect yet: a warning when it is set. */
    PENDING,
    /** Not built, and a member without it would be another than the one asked for: refused. */
    REFUSED,
    /** There is nothing here that it could set: a warning when it is set. */
    FOREIGN
  }

  /** The name of the environment variable. */
  String environmentName() {
    return "ETCD_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
  }
}
