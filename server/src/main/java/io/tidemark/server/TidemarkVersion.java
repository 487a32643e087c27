package io.tidemark.server;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The versions this server goes by. Clients decide by the etcd version what they may ask for, so it
 * is that of the etcd release whose behaviour is offered here, never a pre-release.
 *
 * @param server reported as server version, {@code x.y.z}
 * @param cluster reported as cluster and storage version, {@code x.y.0}
 */
public record TidemarkVersion(String server, String cluster) {
  /** Our own version. */
  public static final String TIDEMARK = "0.1.0";

  private static final String COMPATIBLE_WITH = "3.7.1";

  public TidemarkVersion {
    if (!server.matches("[0-9]+\\.[0-9]+\\.[0-9]+")) {
      throw new IllegalArgumentException("not a version of the form x.y.z: " + server);
    }
  }

  /**
   * The versions to report.
   *
   * @param override version to report instead (variable {@code ETCD_COMPAT_VERSION}); null or empty
   *     for none
   */
  public static TidemarkVersion reported(@Nullable String override) {
    String server = override == null || override.isEmpty() ? COMPATIBLE_WITH : override;
    return new TidemarkVersion(server, server.replaceFirst("\\.[0-9]+$", ".0"));
  }

  /** What {@code --version} prints; the first line is the one that tools look for. */
  public String text() {
    return "etcd Version: %s%nTidemark Version: %s%nJava Version: %s%nJava OS/Arch: %s/%s%n"
        .formatted(
            server,
            TIDEMARK,
            System.getProperty("java.version"),
            System.getProperty("os.name").toLowerCase(Locale.ROOT),
            System.getProperty("os.arch"));
  }
}
