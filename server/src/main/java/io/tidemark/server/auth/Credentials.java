package io.tidemark.server.auth;

import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.tidemark.clusterconfig.tls.SubjectNames;
import io.tidemark.server.access.Identities;
import io.tidemark.server.access.Identity;
import io.tidemark.statemachine.auth.AuthState;
import io.tidemark.statemachine.auth.Caller;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Iterator;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Who a call comes from: its token, or else the common name of its client certificate where those
 * are asked for. Without authentication nobody looks. Any thread.
 */
final class Credentials implements Identities {
  private static final Metadata.Key<String> TOKEN =
      Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  /** Set by proxies that speak for other people with a certificate of their own. */
  private static final Metadata.Key<String> GATEWAY =
      Metadata.Key.of("grpcgateway-accept", Metadata.ASCII_STRING_MARSHALLER);

  private static final String BEARER = "Bearer ";

  private final Tokens tokens;
  private final boolean certificates;

  /**
   * @param certificates whether the common name of a verified client certificate is a user's name
   */
  Credentials(Tokens tokens, boolean certificates) {
    this.tokens = tokens;
    this.certificates = certificates;
  }

  @Override
  public Identity of(Metadata headers, Attributes attributes, AuthState state) {
    String token = token(headers);
    if (token != null) {
      return tokens.of(token, state);
    }
    String name = certificates && !headers.containsKey(GATEWAY) ? commonName(attributes) : null;
    return name == null ? Identity.ANONYMOUS : Identity.of(new Caller(name, state.revision()));
  }

  @Override
  public boolean isAhead(Metadata headers) {
    String token = token(headers);
    return token != null && tokens.isAhead(token);
  }

  @Override
  public Metadata credentials(Metadata headers) {
    Metadata kept = new Metadata();
    for (Metadata.Key<String> key : List.of(TOKEN, AUTHORIZATION, GATEWAY)) {
      String value = first(headers, key);
      if (value != null) {
        kept.put(key, value);
      }
    }
    return kept;
  }

  private static @Nullable String token(Metadata headers) {
    String token = first(headers, TOKEN);
    if (token == null) {
      token = first(headers, AUTHORIZATION);
    }
    return token != null && token.startsWith(BEARER) ? token.substring(BEARER.length()) : token;
  }

  private static @Nullable String first(Metadata headers, Metadata.Key<String> key) {
    Iterable<String> all = headers.getAll(key);
    Iterator<String> values = all == null ? null : all.iterator();
    return values != null && values.hasNext() ? values.next() : null;
  }

  private static @Nullable String commonName(Attributes attributes) {
    SSLSession session = attributes.get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
    if (session == null) {
      return null;
    }
    try {
      Certificate[] chain = session.getPeerCertificates();
      return chain.length > 0 && chain[0] instanceof X509Certificate first
          ? SubjectNames.commonName(first).orElse(null)
          : null;
    } catch (SSLPeerUnverifiedException noCertificate) {
      return null;
    }
  }
}
