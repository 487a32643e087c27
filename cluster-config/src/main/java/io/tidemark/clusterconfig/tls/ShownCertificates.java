package io.tidemark.clusterconfig.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * What a port shows of itself, as a server and when it dials. Certificates may be replaced at any
 * time: a handshake names one by its alias and fetches chain and key one by one, so the alias
 * carries a generation, and the generation before stays for handshakes under way. Thread-safe.
 */
final class ShownCertificates extends X509ExtendedKeyManager {
  /** A private key and the chain that begins with its certificate. */
  record Pair(PrivateKey key, X509Certificate[] chain) {}

  private record Generation(long number, Pair serving, Pair dialling) {}

  private static final String SERVING = "serving-";
  private static final String DIALLING = "dialling-";

  private volatile Generation current;
  private volatile Generation previous;

  ShownCertificates(Pair serving, Pair dialling) {
    this.current = new Generation(0, serving, dialling);
    this.previous = current;
  }

  /** Thread: one at a time. */
  void replace(Pair serving, Pair dialling) {
    previous = current;
    current = new Generation(previous.number() + 1, serving, dialling);
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
    Generation now = current;
    return fits(now.serving(), keyType) ? SERVING + now.number() : null;
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, SSLEngine engine) {
    Generation now = current;
    return Arrays.stream(keyTypes).anyMatch(type -> fits(now.dialling(), type))
        ? DIALLING + now.number()
        : null;
  }

  /** Engines only: neither port uses sockets of the JDK. */
  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, Socket socket) {
    return null;
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, Socket socket) {
    return null;
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    Pair pair = pair(alias);
    return pair == null ? null : pair.chain();
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    Pair pair = pair(alias);
    return pair == null ? null : pair.key();
  }

  private @Nullable Pair pair(String alias) {
    for (Generation generation : Stream.of(current, previous).toList()) {
      if (alias.equals(SERVING + generation.number())) {
        return generation.serving();
      }
      if (alias.equals(DIALLING + generation.number())) {
        return generation.dialling();
      }
    }
    return null;
  }

  /**
   * The JDK asks for RSA, EC, EdDSA, or in older handshakes for EC_RSA: an EC key signed by RSA.
   */
  private static boolean fits(Pair pair, String keyType) {
    int end = keyType.indexOf('_');
    String algorithm = end < 0 ? keyType : keyType.substring(0, end);
    return pair.chain()[0].getPublicKey().getAlgorithm().equals(algorithm);
  }
}
