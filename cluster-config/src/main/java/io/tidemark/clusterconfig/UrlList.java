package io.tidemark.clusterconfig;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rules for URLs on the command line, with etcd's wording for what is wrong. Pure. */
final class UrlList {
  private static final Set<String> SCHEMES = Set.of("http", "https", "unix", "unixs");
  private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");

  private UrlList() {}

  /**
   * Comma-separated URLs, duplicates dropped, order kept; what is wrong goes to {@code problems}.
   */
  static List<URI> parse(String text, List<String> problems) {
    Set<URI> urls = new LinkedHashSet<>();
    for (String item : text.split(",", -1)) {
      String trimmed = item.trim();
      if (trimmed.isEmpty() && text.isBlank()) {
        continue;
      }
      URI url = parseOne(trimmed, problems);
      if (url != null) {
        urls.add(url);
      }
    }
    return List.copyOf(urls);
  }

  private static @Nullable URI parseOne(String text, List<String> problems) {
    URI url;
    try {
      url = new URI(text);
    } catch (URISyntaxException e) {
      problems.add("parse \"" + text + "\": " + e.getReason());
      return null;
    }
    String scheme = url.getScheme();
    if (scheme == null || !SCHEMES.contains(scheme)) {
      problems.add("URL scheme must be http, https, unix, or unixs: " + text);
      return null;
    }
    if (!isUnix(url)) {
      if (HostPort.of(url).port() < 0) {
        problems.add("URL address does not have the form \"host:port\": " + text);
        return null;
      }
      String path = url.getRawPath();
      if (path != null && !path.isEmpty()) {
        problems.add("URL must not contain a path: " + text);
        return null;
      }
    }
    return url;
  }

  /** {@code name=url,name=url}; a name may occur several times. */
  static Map<String, List<URI>> parseCluster(String text, List<String> problems) {
    Map<String, List<URI>> cluster = new LinkedHashMap<>();
    for (String item : text.split(",", -1)) {
      String trimmed = item.trim();
      if (trimmed.isEmpty()) {
        continue;
      }
      int equals = trimmed.indexOf('=');
      if (equals <= 0 || equals == trimmed.length() - 1) {
        problems.add("empty URL given for \"" + trimmed.replace("=", "") + "\"");
        continue;
      }
      URI url = parseOne(trimmed.substring(equals + 1).trim(), problems);
      if (url != null) {
        cluster.computeIfAbsent(trimmed.substring(0, equals), n -> new ArrayList<>()).add(url);
      }
    }
    return cluster;
  }

  /** Whether a server can listen there without asking a name service. */
  static boolean isBindable(URI url) {
    if (isUnix(url)) {
      return true;
    }
    String host = HostPort.of(url).host();
    return host.isEmpty()
        || host.equals("localhost")
        || host.contains(":")
        || IPV4.matcher(host).matches();
  }

  static boolean isUnix(URI url) {
    return "unix".equals(url.getScheme()) || "unixs".equals(url.getScheme());
  }

  static boolean isTls(URI url) {
    return "https".equals(url.getScheme()) || "unixs".equals(url.getScheme());
  }
}
