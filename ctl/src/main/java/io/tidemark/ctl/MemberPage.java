package io.tidemark.ctl;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Pages that members serve over HTTP, with the TLS that calls have. Blocks. Thread-safe. */
final class MemberPage {
  private static final int MAX_ANSWER_BYTES = 8 << 20;

  private final GlobalOptions options;

  /** Made when it is wanted first, and kept: with it connections are kept too. */
  private @Nullable SSLContext tls;

  MemberPage(GlobalOptions options) {
    this.options = options;
  }

  /**
   * The text of a page; null when there is none: the member is down, doesn't know the path, or
   * isn't trusted.
   */
  @Nullable String get(Endpoint endpoint, String path, Duration limit) {
    try {
      HttpURLConnection http = open(endpoint, path);
      http.setConnectTimeout((int) limit.toMillis());
      http.setReadTimeout((int) limit.toMillis());
      if (http.getResponseCode() != HttpURLConnection.HTTP_OK) {
        return null;
      }
      try (InputStream in = http.getInputStream()) {
        return new String(in.readNBytes(MAX_ANSWER_BYTES), StandardCharsets.UTF_8);
      }
    } catch (IOException e) {
      return null;
    }
  }

  private HttpURLConnection open(Endpoint endpoint, String path) throws IOException {
    String scheme = options.wantsTls(endpoint) ? "https" : "http";
    URI address = URI.create(scheme + "://" + endpoint.authority() + path);
    HttpURLConnection http = (HttpURLConnection) address.toURL().openConnection();
    if (http instanceof HttpsURLConnection https) {
      https.setSSLSocketFactory(tls().getSocketFactory());
      if (options.insecureSkipTlsVerify) {
        https.setHostnameVerifier((host, session) -> true);
      }
    }
    return http;
  }

  private synchronized SSLContext tls() {
    if (tls == null) {
      tls = ClientTls.forPages(options);
    }
    return tls;
  }
}
