package io.tidemark.it.process;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Set;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Signs certificates for the members and clients of one test, into files of one directory. */
public final class Authority {
  private static final Duration VALID = Duration.ofDays(2);

  /** Files of one certificate. */
  public record Identity(Path certificate, Path key, BigInteger serial) {}

  private final Path directory;
  private final X500Name name;
  private final KeyPair pair;
  private int signed;

  /** A new authority. */
  public Authority(Path directory, String name) {
    this.directory = directory;
    this.name = new X500Name("CN=" + name);
    this.pair = keyPair();
    try {
      Files.createDirectories(directory);
      X509v3CertificateBuilder own = builder(this.name, BigInteger.ZERO, pair);
      own.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
      write(certificate(), own.build(signer()));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Its own certificate. */
  public Path certificate() {
    return directory.resolve("ca.crt");
  }

  /** Signs a certificate for a common name at this machine's loopback address. */
  public Identity sign(String commonName) {
    signed++;
    BigInteger serial = BigInteger.valueOf(signed);
    KeyPair subject = keyPair();
    Identity identity =
        new Identity(
            directory.resolve(signed + ".crt"), directory.resolve(signed + ".key"), serial);
    try {
      X509v3CertificateBuilder certificate =
          builder(new X500Name("CN=" + commonName), serial, subject);
      certificate.addExtension(
          Extension.subjectAlternativeName,
          false,
          new GeneralNames(
              new GeneralName[] {
                new GeneralName(GeneralName.iPAddress, "127.0.0.1"),
                new GeneralName(GeneralName.dNSName, "localhost")
              }));
      write(identity.certificate(), certificate.build(signer()));
      write(identity.key(), new JcaPKCS8Generator(subject.getPrivate(), null));
      return identity;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Writes the list of the revoked ones; returns its file. */
  public Path revoke(Set<BigInteger> serials) {
    Date now = Date.from(Instant.now());
    X509v2CRLBuilder list = new X509v2CRLBuilder(name, now);
    list.setNextUpdate(Date.from(now.toInstant().plus(VALID)));
    serials.forEach(serial -> list.addCRLEntry(serial, now, CRLReason.keyCompromise));
    Path file = directory.resolve("revoked.crl");
    try {
      write(file, list.build(signer()));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    return file;
  }

  private X509v3CertificateBuilder builder(X500Name subject, BigInteger serial, KeyPair keys) {
    Instant now = Instant.now();
    return new JcaX509v3CertificateBuilder(
        name,
        serial,
        Date.from(now.minus(VALID)),
        Date.from(now.plus(VALID)),
        subject,
        keys.getPublic());
  }

  private ContentSigner signer() {
    try {
      return new JcaContentSignerBuilder("SHA256withECDSA").build(pair.getPrivate());
    } catch (OperatorCreationException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private static KeyPair keyPair() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(256);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private static void write(Path file, Object content) throws IOException {
    StringWriter text = new StringWriter();
    try (JcaPEMWriter pem = new JcaPEMWriter(text)) {
      pem.writeObject(content);
    }
    Files.writeString(file, text.toString(), StandardCharsets.US_ASCII);
  }
}
