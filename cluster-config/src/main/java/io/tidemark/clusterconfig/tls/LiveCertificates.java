package io.tidemark.clusterconfig.tls;

import io.tidemark.clusterconfig.TlsFiles;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The certificates of one port as their files are now, so that they can be renewed, and others
 * revoked, without a restart. A thread of its own looks at the files every two seconds; when the
 * new ones can't be read (they may be half written), handshakes go on with the last good ones.
 *
 * <p>The managers are thread-safe and never block.
 */
public final class LiveCertificates implements AutoCloseable {
  /** Who wants to know of renewals. Thread: the one that looks. */
  public interface Listener {
    /** What the files hold is in use. */
    void renewed();

    /** The files can't be used; what was in use stays. */
    void kept(String why);
  }

  private static final long LOOK_MILLIS = 2_000;

  private final TlsFiles files;
  private final Listener listener;
  private final ShownCertificates shown;
  private final Trust trust;
  private final ScheduledThreadPoolExecutor watcher;

  /** What was loaded, or tried, last. Thread: watcher. */
  private List<FileTime> seen;

  /**
   * Reads the files; blocks on them.
   *
   * @param thread name of the thread that looks
   * @throws IOException with what is wrong
   */
  public LiveCertificates(String thread, TlsFiles files, Listener listener) throws IOException {
    this.files = files;
    this.listener = listener;
    try {
      this.seen = stamps();
      ShownCertificates.Pair serving = serving();
      this.shown = new ShownCertificates(serving, dialling(serving));
      this.trust = new Trust(rules());
    } catch (GeneralSecurityException e) {
      throw new IOException(e.getMessage(), e);
    }
    this.watcher =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread looking = new Thread(task, thread);
              looking.setDaemon(true);
              return looking;
            });
    var unused =
        watcher.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** What this side shows. */
  public X509ExtendedKeyManager keys() {
    return shown;
  }

  /** Whom this side believes. */
  public X509ExtendedTrustManager trust() {
    return trust;
  }

  /**
   * Whether whoever connects must show a certificate; as in etcd, an authority is demand enough.
   */
  public boolean demandsCertificates() {
    return files.clientCertAuth() || files.trustedCaFile() != null;
  }

  @Override
  public void close() {
    watcher.shutdownNow();
  }

  /** Thread: watcher. */
  void look() {
    try {
      List<FileTime> now = stamps();
      if (now.equals(seen)) {
        return;
      }
      seen = now;
      ShownCertificates.Pair serving = serving();
      ShownCertificates.Pair dialling = dialling(serving);
      trust.replace(rules());
      shown.replace(serving, dialling);
      listener.renewed();
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      listener.kept(String.valueOf(e.getMessage()));
    }
  }

  private ShownCertificates.Pair serving() throws IOException, GeneralSecurityException {
    return pair(
        Objects.requireNonNull(files.certFile(), "certificate"),
        Objects.requireNonNull(files.keyFile(), "key"));
  }

  private ShownCertificates.Pair dialling(ShownCertificates.Pair serving)
      throws IOException, GeneralSecurityException {
    Path certificate = files.clientCertFile();
    Path key = files.clientKeyFile();
    return certificate == null || key == null ? serving : pair(certificate, key);
  }

  private static ShownCertificates.Pair pair(Path certificate, Path key)
      throws IOException, GeneralSecurityException {
    return new ShownCertificates.Pair(PrivateKeyFile.read(key), CertificateFile.read(certificate));
  }

  private Trust.Rules rules() throws IOException, GeneralSecurityException {
    Path list = files.crlFile();
    Set<BigInteger> revoked = list == null ? Set.of() : CertificateFile.revoked(list);
    return new Trust.Rules(
        files.autoTls() && files.trustedCaFile() == null
            ? new Anyone()
            : authorities(files.trustedCaFile()),
        revoked,
        files.allowedCommonNames(),
        files.allowedHostnames());
  }

  /** Without a file: the authorities that this machine trusts. */
  private static X509ExtendedTrustManager authorities(@Nullable Path file)
      throws IOException, GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(file == null ? null : storeOf(CertificateFile.read(file)));
    for (TrustManager manager : factory.getTrustManagers()) {
      if (manager instanceof X509ExtendedTrustManager extended) {
        return extended;
      }
    }
    throw new GeneralSecurityException("this JDK checks no certificates");
  }

  private static KeyStore storeOf(X509Certificate[] authorities)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    for (int i = 0; i < authorities.length; i++) {
      store.setCertificateEntry("authority-" + i, authorities[i]);
    }
    return store;
  }

  private List<FileTime> stamps() throws IOException {
    List<Path> paths =
        Stream.of(
                files.certFile(),
                files.keyFile(),
                files.clientCertFile(),
                files.clientKeyFile(),
                files.trustedCaFile(),
                files.crlFile())
            .filter(Objects::nonNull)
            .toList();
    List<FileTime> stamps = new ArrayList<>();
    for (Path path : paths) {
      try {
        stamps.add(Files.getLastModifiedTime(path));
      } catch (NoSuchFileException beingReplaced) {
        stamps.add(FileTime.fromMillis(0));
      }
    }
    return stamps;
  }
}
