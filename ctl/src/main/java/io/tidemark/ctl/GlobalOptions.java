package io.tidemark.ctl;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** Options that every command takes, before or after its name. */
final class GlobalOptions {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help.")
  boolean help;

  @Option(
      names = "--endpoints",
      defaultValue = "127.0.0.1:2379",
      scope = ScopeType.INHERIT,
      description = "Members, comma-separated (default: ${DEFAULT-VALUE}).")
  String endpoints = "127.0.0.1:2379";

  @Option(
      names = {"-w", "--write-out"},
      defaultValue = "simple",
      scope = ScopeType.INHERIT,
      description = "Output format: simple, fields, json or table.")
  String writeOut = "simple";

  @Option(names = "--hex", scope = ScopeType.INHERIT, description = "Print bytes in hex.")
  boolean hex;

  @Option(
      names = "--command-timeout",
      defaultValue = "5s",
      scope = ScopeType.INHERIT,
      description = "Time-out of a short command (default: ${DEFAULT-VALUE}).")
  String commandTimeout = "5s";

  @Option(
      names = "--dial-timeout",
      defaultValue = "2s",
      scope = ScopeType.INHERIT,
      description = "Time-out of connecting (default: ${DEFAULT-VALUE}).")
  String dialTimeout = "2s";

  @Option(
      names = "--cacert",
      defaultValue = "",
      scope = ScopeType.INHERIT,
      description = "Authorities that may sign the servers' certificates.")
  String caCert = "";

  @Option(
      names = "--cert",
      defaultValue = "",
      scope = ScopeType.INHERIT,
      description = "This client's certificate.")
  String cert = "";

  @Option(
      names = "--key",
      defaultValue = "",
      scope = ScopeType.INHERIT,
      description = "Its private key.")
  String key = "";

  @Option(
      names = "--insecure-skip-tls-verify",
      scope = ScopeType.INHERIT,
      description = "Accept any server certificate (for tests only).")
  boolean insecureSkipTlsVerify;

  @Option(
      names = "--insecure-transport",
      scope = ScopeType.INHERIT,
      hidden = true,
      description = "Accepted; TLS is used for https:// endpoints and when TLS files are given.")
  boolean insecureTransport;

  @Option(
      names = "--user",
      defaultValue = "",
      scope = ScopeType.INHERIT,
      description = "NAME[:PASSWORD].")
  String user = "";

  @Option(
      names = "--password",
      defaultValue = "",
      scope = ScopeType.INHERIT,
      description = "Password, if not part of --user.")
  String password = "";

  boolean wantsTls(Endpoint endpoint) {
    return endpoint.tls()
        || (!endpoint.plain() && !(caCert.isEmpty() && cert.isEmpty() && key.isEmpty()));
  }

  /** The user's name, or null when none was given. */
  @Nullable String userName() {
    if (user.isEmpty()) {
      return null;
    }
    int colon = user.indexOf(':');
    return colon < 0 || !password.isEmpty() ? user : user.substring(0, colon);
  }

  String userPassword() {
    int colon = user.indexOf(':');
    if (!password.isEmpty() || colon < 0) {
      return password;
    }
    return user.substring(colon + 1);
  }
}
