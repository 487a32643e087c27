package io.tidemark.ctl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PemKeysTest {
  @TempDir Path directory;

  private String pem(String label, byte[] der) throws IOException {
    String text =
        "-----BEGIN "
            + label
            + "-----\n"
            + Base64.getMimeEncoder().encodeToString(der)
            + "\n-----END "
            + label
            + "-----\n";
    return Files.writeString(directory.resolve("key.pem"), text).toString();
  }

  @Test
  void readsPkcs8AndPkcs1() throws IOException, NoSuchAlgorithmException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    KeyPair pair = generator.generateKeyPair();
    byte[] pkcs8 = pair.getPrivate().getEncoded();
    // Header of a 2048-bit key in PKCS#8: 26 bytes in front of the PKCS#1 form.
    byte[] pkcs1 = Arrays.copyOfRange(pkcs8, 26, pkcs8.length);
    assertEquals(pair.getPrivate(), PemKeys.privateKey(pem("PRIVATE KEY", pkcs8)));
    assertEquals(pair.getPrivate(), PemKeys.privateKey(pem("RSA PRIVATE KEY", pkcs1)));
  }

  @Test
  void readsEllipticCurveKeys() throws IOException, NoSuchAlgorithmException {
    KeyPair pair = KeyPairGenerator.getInstance("EC").generateKeyPair();
    assertEquals(
        pair.getPrivate(), PemKeys.privateKey(pem("PRIVATE KEY", pair.getPrivate().getEncoded())));
  }
}
