package io.tidemark.clusterconfig.tls;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads an unencrypted private key from a PEM file. The JDK takes PKCS#8 only; the older PKCS#1
 * (RSA) and SEC1 (EC) forms, which etcd's tools still write, are wrapped into it.
 */
public final class PrivateKeyFile {
  private static final Pattern BLOCK =
      Pattern.compile(
          "-----BEGIN ((?:RSA |EC )?PRIVATE KEY)-----(.*?)-----END \\1-----", Pattern.DOTALL);
  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

  private static final int INTEGER = 0x02;
  private static final int OCTET_STRING = 0x04;
  private static final int SEQUENCE = 0x30;
  private static final int CURVE = 0xA0;
  private static final byte[] VERSION_0 = {INTEGER, 1, 0};
  // rsaEncryption, with its NULL parameter
  private static final byte[] RSA = {
    0x06, 9, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 0x0d, 1, 1, 1, 0x05, 0
  };
  // id-ecPublicKey; the curve follows
  private static final byte[] EC = {0x06, 7, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 2, 1};

  private PrivateKeyFile() {}

  /** Blocks on the file. */
  public static PrivateKey read(Path file) throws IOException, GeneralSecurityException {
    return parse(Files.readString(file, StandardCharsets.ISO_8859_1), file.toString());
  }

  static PrivateKey parse(String pem, String source) throws GeneralSecurityException {
    Matcher block = BLOCK.matcher(pem);
    if (!block.find()) {
      throw new InvalidKeySpecException("no unencrypted private key in " + source);
    }
    byte[] der = Base64.getMimeDecoder().decode(block.group(2));
    PKCS8EncodedKeySpec spec =
        new PKCS8EncodedKeySpec(
            switch (block.group(1)) {
              case "RSA PRIVATE KEY" -> wrap(RSA, der);
              case "EC PRIVATE KEY" -> wrap(join(EC, curve(der, source)), der);
              default -> der;
            });
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(spec);
      } catch (InvalidKeySpecException notOfThisKind) {
        // the next algorithm may fit
      }
    }
    throw new InvalidKeySpecException("private key of an unknown kind in " + source);
  }

  private static byte[] wrap(byte[] algorithm, byte[] key) {
    return tagged(
        SEQUENCE, join(VERSION_0, join(tagged(SEQUENCE, algorithm), tagged(OCTET_STRING, key))));
  }

  /** The curve's object identifier out of ECPrivateKey { version, key, [0] curve, [1] public }. */
  private static byte[] curve(byte[] sec1, String source) throws InvalidKeySpecException {
    int at = contentStart(sec1, 0);
    while (at < sec1.length) {
      int content = contentStart(sec1, at);
      int end = content + length(sec1, at);
      if (end > sec1.length) {
        break;
      }
      if ((sec1[at] & 0xff) == CURVE) {
        return Arrays.copyOfRange(sec1, content, end);
      }
      at = end;
    }
    throw new InvalidKeySpecException("EC private key without a named curve in " + source);
  }

  private static int contentStart(byte[] der, int at) {
    int first = der[at + 1] & 0xff;
    return at + 2 + (first < 0x80 ? 0 : first & 0x7f);
  }

  private static int length(byte[] der, int at) {
    int first = der[at + 1] & 0xff;
    if (first < 0x80) {
      return first;
    }
    int length = 0;
    for (int i = at + 2; i < contentStart(der, at); i++) {
      length = (length << 8) | (der[i] & 0xff);
    }
    return length;
  }

  private static byte[] tagged(int tag, byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(content.length + 6);
    out.write(tag);
    if (content.length < 0x80) {
      out.write(content.length);
    } else {
      // DER wants the shortest form
      int lengthBytes = (39 - Integer.numberOfLeadingZeros(content.length)) / 8;
      out.write(0x80 | lengthBytes);
      for (int shift = (lengthBytes - 1) * 8; shift >= 0; shift -= 8) {
        out.write(content.length >> shift);
      }
    }
    out.writeBytes(content);
    return out.toByteArray();
  }

  private static byte[] join(byte[] a, byte[] b) {
    byte[] joined = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, joined, a.length, b.length);
    return joined;
  }
}
