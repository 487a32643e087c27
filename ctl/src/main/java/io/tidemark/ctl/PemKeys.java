package io.tidemark.ctl;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads certificates and private keys. Keys of etcd's tools are often PKCS#1 ({@code RSA PRIVATE
 * KEY}), which the JDK does not take as they are: they are wrapped into PKCS#8 here.
 */
final class PemKeys {
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN ((?:RSA )?PRIVATE KEY)-----([^-]+)-----END \\1-----");

  /** Version 0 and the algorithm id of RSA, as PKCS#8 has them in front of the key. */
  private static final byte[] RSA_HEADER = {
    0x02,
    0x01,
    0x00,
    0x30,
    0x0d,
    0x06,
    0x09,
    0x2a,
    (byte) 0x86,
    0x48,
    (byte) 0x86,
    (byte) 0xf7,
    0x0d,
    0x01,
    0x01,
    0x01,
    0x05,
    0x00
  };

  private PemKeys() {}

  static List<X509Certificate> certificates(String file) throws IOException {
    try (InputStream in = Files.newInputStream(Path.of(file))) {
      return CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
          .map(X509Certificate.class::cast)
          .toList();
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }

  static PrivateKey privateKey(String file) throws IOException {
    Matcher pem = KEY.matcher(Files.readString(Path.of(file), StandardCharsets.US_ASCII));
    if (!pem.find()) {
      throw new IllegalArgumentException(file + " holds no PKCS#8 or RSA private key");
    }
    byte[] der = Base64.getMimeDecoder().decode(pem.group(2));
    PKCS8EncodedKeySpec spec =
        new PKCS8EncodedKeySpec(pem.group(1).startsWith("RSA") ? wrapped(der) : der);
    for (String algorithm : List.of("RSA", "EC", "EdDSA")) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(spec);
      } catch (GeneralSecurityException e) {
        // Not a key of this kind; the next kind may fit.
      }
    }
    throw new IllegalArgumentException(file + " holds a key of an unknown kind");
  }

  static byte[] wrapped(byte[] pkcs1) {
    ByteArrayOutputStream inner = new ByteArrayOutputStream();
    inner.writeBytes(RSA_HEADER);
    element(inner, 0x04, pkcs1);
    ByteArrayOutputStream outer = new ByteArrayOutputStream();
    element(outer, 0x30, inner.toByteArray());
    return outer.toByteArray();
  }

  /** Tag, length, content: with lengths up to 64 KiB. */
  private static void element(ByteArrayOutputStream out, int tag, byte[] content) {
    out.write(tag);
    if (content.length < 0x80) {
      out.write(content.length);
    } else if (content.length < 0x100) {
      out.write(0x81);
      out.write(content.length);
    } else {
      out.write(0x82);
      out.write(content.length >> 8);
      out.write(content.length);
    }
    out.writeBytes(content);
  }
}
