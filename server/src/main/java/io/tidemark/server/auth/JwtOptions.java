package io.tidemark.server.auth;

import com.nimbusds.jose.JWSAlgorithm;
import io.tidemark.clusterconfig.GoDuration;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options behind {@code --auth-token jwt,}.
 *
 * @param algorithm the only one that is accepted and used
 * @param publicKey PEM, to recognise tokens; may be missing for HMAC, and for RSA if there is a
 *     private key
 * @param privateKey PEM, to issue tokens; for HMAC any file with the secret. Without it this member
 *     only recognises them
 * @param ttl time to live of an issued token
 */
record JwtOptions(
    JWSAlgorithm algorithm, @Nullable Path publicKey, @Nullable Path privateKey, Duration ttl) {
  private static final Duration TTL_DEFAULT = Duration.ofMinutes(5);

  static JwtOptions parse(String text) {
    Map<String, String> options = new HashMap<>();
    for (String option : text.split(",", -1)) {
      int equals = option.indexOf('=');
      if (equals > 0) {
        options.put(option.substring(0, equals), option.substring(equals + 1));
      } else if (!option.equals(JwtTokens.KIND)) {
        throw new IllegalArgumentException("--auth-token: not an option of jwt: " + option);
      }
    }
    String method = options.remove("sign-method");
    if (method == null) {
      throw new IllegalArgumentException("--auth-token: jwt needs sign-method");
    }
    Path publicKey = path(options.remove("pub-key"));
    Path privateKey = path(options.remove("priv-key"));
    String ttl = options.remove("ttl");
    if (!options.isEmpty()) {
      throw new IllegalArgumentException(
          "--auth-token: unknown options of jwt: " + String.join(", ", options.keySet()));
    }
    if (publicKey == null && privateKey == null) {
      throw new IllegalArgumentException("--auth-token: jwt needs pub-key or priv-key");
    }
    JWSAlgorithm algorithm = JWSAlgorithm.parse(method);
    if (!JwtKeys.isKnown(algorithm)) {
      throw new IllegalArgumentException("--auth-token: unknown sign-method " + method);
    }
    return new JwtOptions(
        algorithm, publicKey, privateKey, ttl == null ? TTL_DEFAULT : duration(ttl));
  }

  private static @Nullable Path path(@Nullable String text) {
    return text == null || text.isEmpty() ? null : Path.of(text);
  }

  private static Duration duration(String text) {
    return GoDuration.parse(text)
        .filter(ttl -> !ttl.isNegative() && !ttl.isZero())
        .orElseThrow(
            () -> new IllegalArgumentException("--auth-token: ttl is no duration: " + text));
  }
}
