package io.tidemark.server.auth;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.grpc.Status;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.AuthenticateResponse;
import io.tidemark.api.etcdserverpb.ResponseHeader;
import io.tidemark.server.access.Identity;
import io.tidemark.server.rpc.Spliced;
import io.tidemark.statemachine.auth.AuthState;
import io.tidemark.statemachine.auth.Caller;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.text.ParseException;
import java.time.Clock;
import java.time.Instant;
import java.util.Date;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * JSON web tokens with etcd's claims {@code username}, {@code revision} and {@code exp}. Every
 * member with the public key recognises them; the log never sees them. A token holds for the
 * revision of users and roles that it names: any change ends its rights.
 *
 * <p>A checked signature is remembered, because checking one costs as much as a small read. Bound:
 * {@value #REMEMBERED_MAX} tokens; when full, all are forgotten. Thread-safe.
 */
final class JwtTokens implements Tokens {
  static final String KIND = "jwt";

  private static final int REMEMBERED_MAX = 10_000;
  private static final String USER = "username";
  private static final String REVISION = "revision";

  private final JwtOptions options;
  private final JwtKeys keys;
  private final Clock clock;
  private final ConcurrentHashMap<ByteString, Checked> checked = new ConcurrentHashMap<>();

  /**
   * What a good signature stands under.
   *
   * @param begins null for long ago
   * @param expires null for never
   */
  private record Checked(Caller caller, @Nullable Instant begins, @Nullable Instant expires) {
    boolean isOver(Instant now) {
      return expires != null && !now.isBefore(expires);
    }

    boolean isToCome(Instant now) {
      return begins != null && now.isBefore(begins);
    }
  }

  JwtTokens(JwtOptions options, JwtKeys keys, Clock clock) {
    this.options = options;
    this.keys = keys;
    this.clock = clock;
  }

  /** Whether the flag asks for this kind; anything else has to be {@code simple}. */
  static boolean isChosen(String flag) {
    if (flag.equals("simple") || flag.isEmpty()) {
      return false;
    }
    if (flag.equals(KIND) || flag.startsWith(KIND + ",")) {
      return true;
    }
    throw new IllegalArgumentException("--auth-token: unknown kind of token: " + kind(flag));
  }

  static JwtTokens open(String flag) throws IOException {
    JwtOptions options = JwtOptions.parse(flag);
    return new JwtTokens(options, JwtKeys.read(options), Clock.systemUTC());
  }

  @Override
  public Identity of(String token, AuthState state) {
    ByteString digest = digest(token);
    Checked known = checked.get(digest);
    if (known == null) {
      known = check(token);
      if (known == null) {
        return Identity.refused(EtcdError.INVALID_AUTH_TOKEN);
      }
      if (checked.size() >= REMEMBERED_MAX) {
        checked.clear();
      }
      checked.put(digest, known);
    }
    Instant now = clock.instant();
    if (known.isOver(now)) {
      checked.remove(digest);
    }
    return known.isOver(now) || known.isToCome(now)
        ? Identity.refused(EtcdError.INVALID_AUTH_TOKEN)
        : Identity.of(known.caller());
  }

  @Override
  public boolean isAhead(String token) {
    return false;
  }

  Logins.TokenIssuer issuer(Supplier<ResponseHeader> header) {
    return (user, authRevision, reply, overtaken) -> {
      JWSSigner signer = keys.signer();
      if (signer == null) {
        reply.fail(
            Status.UNKNOWN.withDescription("auth: token signing attempted with verify-only key"));
        return;
      }
      reply.send(
          Spliced.of(
              AuthenticateResponse.newBuilder()
                  .setHeader(header.get())
                  .setToken(sign(user, authRevision, signer))
                  .build()
                  .toByteString()));
    };
  }

  String sign(String user, long authRevision, JWSSigner signer) {
    SignedJWT token =
        new SignedJWT(
            new JWSHeader(options.algorithm()),
            new JWTClaimsSet.Builder()
                .claim(USER, user)
                .claim(REVISION, authRevision)
                .expirationTime(Date.from(clock.instant().plus(options.ttl())))
                .build());
    try {
      token.sign(signer);
    } catch (JOSEException e) {
      throw new IllegalStateException("a token can't be signed", e);
    }
    return token.serialize();
  }

  private @Nullable Checked check(String token) {
    try {
      SignedJWT jwt = SignedJWT.parse(token);
      boolean good =
          jwt.getHeader().getAlgorithm().equals(options.algorithm()) && jwt.verify(keys.verifier());
      if (!good) {
        return null;
      }
      JWTClaimsSet claims = jwt.getJWTClaimsSet();
      String user = claims.getStringClaim(USER);
      Number revision = (Number) claims.getClaim(REVISION);
      if (user == null || user.isEmpty() || revision == null || revision.longValue() <= 0) {
        return null;
      }
      return new Checked(
          new Caller(user, revision.longValue()),
          instant(claims.getNotBeforeTime()),
          instant(claims.getExpirationTime()));
    } catch (ParseException | JOSEException | ClassCastException noToken) {
      return null;
    }
  }

  private static @Nullable Instant instant(@Nullable Date date) {
    return date == null ? null : date.toInstant();
  }

  private static String kind(String flag) {
    int comma = flag.indexOf(',');
    return comma < 0 ? flag : flag.substring(0, comma);
  }

  private static ByteString digest(String token) {
    try {
      return UnsafeByteOperations.unsafeWrap(
          MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
