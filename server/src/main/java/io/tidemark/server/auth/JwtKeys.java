package io.tidemark.server.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.MACVerifier;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import io.tidemark.clusterconfig.tls.PrivateKeyFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPrivateKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPrivateKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.RSAPublicKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The keys of JSON web tokens. Each algorithm takes its own kind of key and no other, so that a
 * token can't choose how it is judged.
 *
 * @param signer null when tokens are only recognised here
 */
record JwtKeys(@Nullable JWSSigner signer, JWSVerifier verifier) {
  private static final Pattern PUBLIC =
      Pattern.compile("-----BEGIN PUBLIC KEY-----(.*?)-----END PUBLIC KEY-----", Pattern.DOTALL);
  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

  static boolean isKnown(JWSAlgorithm algorithm) {
    return JWSAlgorithm.Family.HMAC_SHA.contains(algorithm)
        || JWSAlgorithm.Family.RSA.contains(algorithm)
        || isEc(algorithm)
        || algorithm.equals(JWSAlgorithm.EdDSA);
  }

  /** Blocks on the files. */
  static JwtKeys read(JwtOptions options) throws IOException {
    try {
      return JWSAlgorithm.Family.HMAC_SHA.contains(options.algorithm())
          ? secret(options)
          : pair(options);
    } catch (GeneralSecurityException | JOSEException e) {
      throw new IOException("keys of --auth-token: " + e.getMessage(), e);
    }
  }

  private static JwtKeys secret(JwtOptions options) throws IOException, JOSEException {
    Path file = options.privateKey() == null ? options.publicKey() : options.privateKey();
    if (file == null) {
      throw new IOException("keys of --auth-token: no file with the secret");
    }
    byte[] secret = Files.readAllBytes(file);
    return new JwtKeys(new MACSigner(secret), new MACVerifier(secret));
  }

  private static JwtKeys pair(JwtOptions options)
      throws IOException, GeneralSecurityException, JOSEException {
    Path file = options.privateKey();
    PrivateKey privateKey = file == null ? null : PrivateKeyFile.read(file);
    PublicKey publicKey = publicKey(options, privateKey);
    JWSAlgorithm algorithm = options.algorithm();
    if (publicKey instanceof RSAPublicKey rsa && JWSAlgorithm.Family.RSA.contains(algorithm)) {
      JWSSigner signer = privateKey instanceof RSAPrivateKey key ? new RSASSASigner(key) : null;
      return matched(new JwtKeys(signer, new RSASSAVerifier(rsa)), privateKey);
    }
    if (publicKey instanceof ECPublicKey ec && isEc(algorithm)) {
      JWSSigner signer = privateKey instanceof ECPrivateKey key ? new ECDSASigner(key) : null;
      return matched(new JwtKeys(signer, new ECDSAVerifier(ec)), privateKey);
    }
    if (publicKey instanceof EdECPublicKey ed && algorithm.equals(JWSAlgorithm.EdDSA)) {
      JWSSigner signer = privateKey instanceof EdECPrivateKey key ? new EdDsa.Signer(key) : null;
      return matched(new JwtKeys(signer, new EdDsa.Verifier(ed)), privateKey);
    }
    throw new InvalidKeySpecException("the key doesn't fit sign-method " + algorithm);
  }

  private static JwtKeys matched(JwtKeys keys, @Nullable PrivateKey given)
      throws InvalidKeySpecException {
    if (given != null && keys.signer() == null) {
      throw new InvalidKeySpecException("the private key is of another kind than the public one");
    }
    return keys;
  }

  private static boolean isEc(JWSAlgorithm algorithm) {
    return algorithm.equals(JWSAlgorithm.ES256)
        || algorithm.equals(JWSAlgorithm.ES384)
        || algorithm.equals(JWSAlgorithm.ES512);
  }

  private static PublicKey publicKey(JwtOptions options, @Nullable PrivateKey privateKey)
      throws IOException, GeneralSecurityException {
    if (options.publicKey() != null) {
      return read(options.publicKey());
    }
    if (privateKey instanceof RSAPrivateCrtKey rsa) {
      return KeyFactory.getInstance("RSA")
          .generatePublic(new RSAPublicKeySpec(rsa.getModulus(), rsa.getPublicExponent()));
    }
    throw new InvalidKeySpecException("sign-method " + options.algorithm() + " needs pub-key");
  }

  private static PublicKey read(Path file) throws IOException, GeneralSecurityException {
    String pem = Files.readString(file, StandardCharsets.ISO_8859_1);
    if (pem.contains("-----BEGIN CERTIFICATE-----")) {
      return CertificateFactory.getInstance("X.509")
          .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.ISO_8859_1)))
          .getPublicKey();
    }
    Matcher block = PUBLIC.matcher(pem);
    if (!block.find()) {
      throw new InvalidKeySpecException("no public key in " + file);
    }
    X509EncodedKeySpec spec =
        new X509EncodedKeySpec(Base64.getMimeDecoder().decode(block.group(1)));
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePublic(spec);
      } catch (InvalidKeySpecException notOfThisKind) {
        // the next algorithm may fit
      }
    }
    throw new InvalidKeySpecException("public key of an unknown kind in " + file);
  }
}
