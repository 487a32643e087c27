package io.tidemark.ctl;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Pages that members serve over plain HTTP. Blocks. */
final class MemberPage {
  private static final int MAX_ANSWER_BYTES = 8 << 20;

  private MemberPage() {}

  /**
   * The text of a page; null when there is none: the member is down or doesn't know the path, or
   * its port is under TLS, which these questions don't speak.
   */
  static @Nullable String get(
      GlobalOptions options, Endpoint endpoint, String path, Duration limit) {
    if (options.wantsTls(endpoint)) {
      return null;
    }
    try {
      HttpURLConnection http =
          (HttpURLConnection)
              URI.create("http://" + endpoint.authority() + path).toURL().openConnection();
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
}
