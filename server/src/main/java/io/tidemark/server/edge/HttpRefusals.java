package io.tidemark.server.edge;

import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.server.http.HttpAnswer;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Requests that no page gets to see, refused with etcd's status and text. */
final class HttpRefusals {
  /** What Go's HTTP server, and so etcd, takes for the head of a request. */
  static final int HEAD_BYTES_MAX = (1 << 20) + 4096;

  private static final Pattern HOST = Pattern.compile("[0-9A-Za-z!$%&'()*+,.:;=\\[\\]_~-]*");

  /** etcd's text, to the byte. */
  private static final String MISDIRECTED =
      """

      etcd received your request, but the Host header was unrecognized.

      To fix this, choose one of the following options:
      - Enable TLS, then any HTTPS request will be allowed.
      - Add the hostname you want to use to the whitelist in settings.
        - e.g. etcd --host-whitelist "%s"

      This requirement has been added to help prevent "DNS Rebinding" attacks (CVE-2018-5702).

      """;

  private HttpRefusals() {}

  static HttpAnswer tooMany() {
    return refusal(429, EtcdError.TOO_MANY_REQUESTS.message());
  }

  static HttpAnswer badRequest() {
    return refusal(400, "400 Bad Request");
  }

  /** The refusal of a message that could not be decoded; null when it could. */
  static @Nullable HttpAnswer undecodable(FullHttpRequest request) {
    if (request.decoderResult().isSuccess()) {
      return null;
    }
    Throwable cause = request.decoderResult().cause();
    if (cause instanceof IncomingRequest.Refused refused) {
      return switch (refused.status()) {
        case 408 -> refusal(408, "408 Request Timeout");
        case 413 -> refusal(413, "413 Request Entity Too Large");
        default -> tooMany();
      };
    }
    return cause instanceof TooLongHttpHeaderException || cause instanceof TooLongHttpLineException
        ? refusal(431, "431 Request Header Fields Too Large")
        : badRequest();
  }

  /** The refusal for want of a usable Host header; only HTTP/1.1 demands one. */
  static @Nullable HttpAnswer hostless(FullHttpRequest request) {
    List<String> hosts = request.headers().getAll(HttpHeaderNames.HOST);
    if (hosts.isEmpty()) {
      return request.protocolVersion().equals(HttpVersion.HTTP_1_1)
          ? refusal(400, "400 Bad Request: missing required Host header")
          : null;
    }
    if (hosts.size() > 1) {
      return badRequest();
    }
    return HOST.matcher(hosts.get(0)).matches()
        ? null
        : refusal(400, "400 Bad Request: malformed Host header");
  }

  /** The answer to plain HTTP under a name that isn't on the list. */
  static HttpAnswer misdirected(@Nullable String host) {
    return HttpAnswer.text(421, MISDIRECTED.formatted(HttpAccess.name(host)));
  }

  private static HttpAnswer refusal(int status, String text) {
    return HttpAnswer.text(status, text);
  }
}
