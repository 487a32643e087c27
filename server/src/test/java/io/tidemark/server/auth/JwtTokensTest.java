package io.tidemark.server.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.server.access.Identity;
import io.tidemark.statemachine.auth.Authority;
import io.tidemark.statemachine.auth.Caller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.Date;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class JwtTokensTest {
  private static final Identity INVALID = Identity.refused(EtcdError.INVALID_AUTH_TOKEN);
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir Path directory;

  private static JwtTokens at(Instant now, JwtOptions options) throws IOException {
    return new JwtTokens(options, JwtKeys.read(options), Clock.fixed(now, ZoneOffset.UTC));
  }

  private static Identity of(JwtTokens tokens, String token) {
    return tokens.of(token, new Authority().state());
  }

  private static String sign(JwtTokens tokens, JwtOptions options, long revision)
      throws IOException {
    return tokens.sign("ann", revision, Objects.requireNonNull(JwtKeys.read(options).signer()));
  }

  private Path pem(String name, String title, Key key) throws IOException {
    return Files.writeString(
        directory.resolve(name),
        "-----BEGIN "
            + title
            + "-----\n"
            + Base64.getMimeEncoder().encodeToString(key.getEncoded())
            + "\n-----END "
            + title
            + "-----\n");
  }

  private JwtOptions options(String method, String kind, String curve) throws Exception {
    if (kind.equals("secret")) {
      Path secret = Files.write(directory.resolve("secret"), new byte[64]);
      return JwtOptions.parse("jwt,sign-method=" + method + ",priv-key=" + secret);
    }
    KeyPairGenerator generator = KeyPairGenerator.getInstance(kind);
    if (kind.equals("EC")) {
      generator.initialize(new ECGenParameterSpec(curve));
    }
    KeyPair pair = generator.generateKeyPair();
    Path pub = pem("pub", "PUBLIC KEY", pair.getPublic());
    Path priv = pem("priv", "PRIVATE KEY", pair.getPrivate());
    return JwtOptions.parse(
        "jwt,pub-key=" + pub + ",priv-key=" + priv + ",sign-method=" + method + ",ttl=10m");
  }

  @ParameterizedTest
  @CsvSource({
    "RS256,RSA,-",
    "RS512,RSA,-",
    "PS256,RSA,-",
    "ES256,EC,secp256r1",
    "ES384,EC,secp384r1",
    "ES512,EC,secp521r1",
    "EdDSA,Ed25519,-",
    "HS256,secret,-",
    "HS512,secret,-"
  })
  void recognisesWhatItSigns(String method, String kind, String curve) throws Exception {
    JwtOptions options = options(method, kind, curve);
    JwtTokens tokens = at(NOW, options);
    String token = sign(tokens, options, 42);
    Identity ann = Identity.of(new Caller("ann", 42));
    assertEquals(ann, of(tokens, token));
    assertEquals(ann, of(tokens, token), "remembered");
    assertEquals(ann, of(at(NOW.plus(options.ttl()).minusMillis(1), options), token));
    assertEquals(INVALID, of(at(NOW.plus(options.ttl()), options), token));
    int dot = token.lastIndexOf('.');
    char last = token.charAt(dot - 1);
    String changed = token.substring(0, dot - 1) + (last == 'A' ? 'B' : 'A') + token.substring(dot);
    assertEquals(INVALID, of(tokens, changed));
    assertEquals(INVALID, of(tokens, token.substring(0, dot + 1)));
    for (String none : new String[] {"", "a.7", "a.b.c", "...", token + ".x"}) {
      assertEquals(INVALID, of(tokens, none));
    }
  }

  @Test
  void aTokenCannotChooseHowItIsJudged() throws Exception {
    JwtOptions options = options("RS256", "RSA", "-");
    JwtTokens tokens = at(NOW, options);
    JWTClaimsSet claims =
        new JWTClaimsSet.Builder().claim("username", "root").claim("revision", 42).build();
    assertEquals(INVALID, of(tokens, new PlainJWT(claims).serialize()));
    SignedJWT forged = new SignedJWT(new JWSHeader(JWSAlgorithm.HS256), claims);
    forged.sign(new MACSigner(Files.readAllBytes(Objects.requireNonNull(options.publicKey()))));
    assertEquals(INVALID, of(tokens, forged.serialize()), "the public key as a secret");
    JwtOptions other =
        new JwtOptions(
            JWSAlgorithm.RS512, options.publicKey(), options.privateKey(), Duration.ofMinutes(1));
    assertEquals(INVALID, of(tokens, sign(at(NOW, other), other, 42)), "another method");
  }

  @Test
  void claimsMustBeThere() throws Exception {
    JwtOptions options = options("HS256", "secret", "-");
    JwtTokens tokens = at(NOW, options);
    for (JWTClaimsSet claims :
        new JWTClaimsSet[] {
          new JWTClaimsSet.Builder().claim("username", "ann").build(),
          new JWTClaimsSet.Builder().claim("revision", 1).build(),
          new JWTClaimsSet.Builder().claim("username", "").claim("revision", 1).build(),
          new JWTClaimsSet.Builder().claim("username", "ann").claim("revision", 0).build(),
          new JWTClaimsSet.Builder().claim("username", "ann").claim("revision", "1").build(),
          new JWTClaimsSet.Builder().claim("username", 7).claim("revision", 1).build()
        }) {
      SignedJWT token = new SignedJWT(new JWSHeader(JWSAlgorithm.HS256), claims);
      token.sign(new MACSigner(new byte[64]));
      assertEquals(INVALID, of(tokens, token.serialize()), claims.toString());
    }
  }

  @Test
  void aTokenHoldsFromItsBeginningToItsEnd() throws Exception {
    JwtOptions options = options("HS256", "secret", "-");
    Instant begins = NOW.plusSeconds(10);
    Instant ends = NOW.plusSeconds(20);
    SignedJWT token =
        new SignedJWT(
            new JWSHeader(JWSAlgorithm.HS256),
            new JWTClaimsSet.Builder()
                .claim("username", "ann")
                .claim("revision", 42)
                .notBeforeTime(Date.from(begins))
                .expirationTime(Date.from(ends))
                .build());
    token.sign(new MACSigner(new byte[64]));
    Identity ann = Identity.of(new Caller("ann", 42));
    assertEquals(INVALID, of(at(begins.minusMillis(1), options), token.serialize()));
    assertEquals(ann, of(at(begins, options), token.serialize()));
    assertEquals(ann, of(at(ends.minusMillis(1), options), token.serialize()));
    assertEquals(INVALID, of(at(ends, options), token.serialize()));
  }

  @Test
  void aMemberWithThePublicKeyAloneRecognisesOnly() throws Exception {
    JwtOptions both = options("ES256", "EC", "secp256r1");
    JwtOptions verifying =
        new JwtOptions(both.algorithm(), both.publicKey(), null, Duration.ofMinutes(1));
    assertNull(JwtKeys.read(verifying).signer());
    String token = sign(at(NOW, both), both, 9);
    assertEquals(Identity.of(new Caller("ann", 9)), of(at(NOW, verifying), token));
  }

  @Test
  void wrongOptionsSaySo() throws Exception {
    for (String wrong :
        new String[] {
          "jwt",
          "jwt,sign-method=RS256",
          "jwt,sign-method=none,pub-key=x",
          "jwt,sign-method=RS256,pub-key=x,color=red",
          "jwt,sign-method=RS256,pub-key=x,ttl=soon",
          "jwt,sign-method=RS256,pub-key=x,ttl=0s",
          "jwt,pub-key=x",
          "jwt,x"
        }) {
      assertThrows(IllegalArgumentException.class, () -> JwtOptions.parse(wrong), wrong);
    }
    assertThrows(IllegalArgumentException.class, () -> JwtTokens.isChosen("jwtx"));
    assertThrows(IllegalArgumentException.class, () -> JwtTokens.isChosen("basic"));
    JwtOptions rsa = options("RS256", "RSA", "-");
    JwtOptions mixed =
        new JwtOptions(JWSAlgorithm.ES256, rsa.publicKey(), null, Duration.ofMinutes(1));
    assertEquals(
        "keys of --auth-token: the key doesn't fit sign-method ES256",
        assertThrows(IOException.class, () -> JwtKeys.read(mixed)).getMessage());
  }
}
