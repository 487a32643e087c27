package io.tidemark.ctl;

import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.File;
import java.io.IOException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/** TLS as the global options want it, for calls and for pages. */
final class ClientTls {
  private ClientTls() {}

  static SslContext forCalls(GlobalOptions options) {
    return build(options, GrpcSslContexts.forClient());
  }

  static SSLContext forPages(GlobalOptions options) {
    SslContextBuilder builder = SslContextBuilder.forClient().sslProvider(SslProvider.JDK);
    return ((JdkSslContext) build(options, builder)).context();
  }

  private static SslContext build(GlobalOptions options, SslContextBuilder builder) {
    if (options.cert.isEmpty() != options.key.isEmpty()) {
      throw CommandFailure.badArguments("--cert and --key must be given together");
    }
    try {
      if (options.insecureSkipTlsVerify) {
        builder.trustManager(InsecureTrustManagerFactory.INSTANCE);
      } else if (!options.caCert.isEmpty()) {
        builder.trustManager(new File(options.caCert));
      }
      if (!options.cert.isEmpty()) {
        builder.keyManager(PemKeys.privateKey(options.key), PemKeys.certificates(options.cert));
      }
      return builder.build();
    } catch (SSLException | IllegalArgumentException e) {
      throw CommandFailure.badArguments("cannot use the TLS files: " + rootMessage(e));
    } catch (IOException e) {
      throw CommandFailure.badArguments("cannot read the TLS files: " + e);
    }
  }

  private static String rootMessage(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return String.valueOf(root.getMessage());
  }
}
