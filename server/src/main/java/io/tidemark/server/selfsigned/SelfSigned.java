package io.tidemark.server.selfsigned;

import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Collection;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A certificate and its key in a directory of their own, as etcd lays them out: {@code cert.pem}
 * and {@code key.pem}. Those that are there stay.
 */
public final class SelfSigned {
  private static final int SERIAL_BITS = 120;

  private SelfSigned() {}

  /** The certificate's file in a directory. */
  public static Path certificate(Path directory) {
    return directory.resolve("cert.pem");
  }

  /** The key's file in a directory. */
  public static Path key(Path directory) {
    return directory.resolve("key.pem");
  }

  /**
   * Makes certificate and key, unless both are there. Blocks on the disk.
   *
   * @param hosts names and addresses that it speaks for
   * @param years how long it is valid, at least 1
   */
  public static void provide(Path directory, Collection<String> hosts, int years)
      throws IOException {
    if (Files.exists(certificate(directory)) && Files.exists(key(directory))) {
      return;
    }
    Files.createDirectories(directory);
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      KeyPair pair = generator.generateKeyPair();
      writePrivate(key(directory), new JcaPKCS8Generator(pair.getPrivate(), null));
      writePrivate(certificate(directory), sign(pair, hosts, years));
    } catch (GeneralSecurityException | OperatorCreationException e) {
      throw new IOException("cannot make a certificate: " + e.getMessage(), e);
    }
  }

  private static X509CertificateHolder sign(KeyPair pair, Collection<String> hosts, int years)
      throws IOException, OperatorCreationException {
    X500Name name = new X500Name("O=tidemark");
    ZonedDateTime now = Instant.now().atZone(ZoneOffset.UTC);
    X509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            name,
            new BigInteger(SERIAL_BITS, new SecureRandom()),
            Date.from(now.toInstant()),
            Date.from(now.plusYears(years).toInstant()),
            name,
            pair.getPublic());
    builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
    builder.addExtension(
        Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature | KeyUsage.keyCertSign));
    builder.addExtension(
        Extension.extendedKeyUsage,
        false,
        new ExtendedKeyUsage(
            new KeyPurposeId[] {KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth}));
    builder.addExtension(
        Extension.subjectAlternativeName,
        false,
        new GeneralNames(
            hosts.stream().distinct().map(SelfSigned::name).toArray(GeneralName[]::new)));
    return builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(pair.getPrivate()));
  }

  private static GeneralName name(String host) {
    boolean address = host.indexOf(':') >= 0 || host.matches("[0-9.]+");
    return new GeneralName(address ? GeneralName.iPAddress : GeneralName.dNSName, host);
  }

  private static void writePrivate(Path file, Object content) throws IOException {
    StringWriter text = new StringWriter();
    try (JcaPEMWriter pem = new JcaPEMWriter(text)) {
      pem.writeObject(content);
    }
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, text.toString(), StandardCharsets.US_ASCII);
  }
}
