package io.tidemark.server.gateway;

import com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a body into the JSON values that stand in it one behind the other, with or without white
 * space between them. Finds where values end, and judges nothing else about them. Not thread-safe.
 */
final class JsonValues {
  /** More than any message that the parser takes. */
  private static final int NESTING_MAX = 256;

  private final ByteString body;
  private int at;

  JsonValues(ByteString body) {
    this.body = body;
  }

  /**
   * The next value as UTF-8 text; null when there is none.
   *
   * @throws BadRequestException when the body ends in the middle of it, or it is nested too deep
   */
  @Nullable String next() throws BadRequestException {
    while (at < body.size() && isSpace(body.byteAt(at))) {
      at++;
    }
    if (at == body.size()) {
      return null;
    }
    int start = at;
    at = end(start);
    return body.substring(start, at).toStringUtf8();
  }

  private int end(int start) throws BadRequestException {
    byte first = body.byteAt(start);
    if (first != '{' && first != '[' && first != '"') {
      int end = start + 1;
      while (end < body.size() && !isSpace(body.byteAt(end)) && body.byteAt(end) != '{') {
        end++;
      }
      return end;
    }
    int depth = 0;
    boolean inText = false;
    for (int i = start; i < body.size(); i++) {
      byte b = body.byteAt(i);
      if (inText) {
        if (b == '\\') {
          i++;
        } else if (b == '"') {
          inText = false;
        }
      } else if (b == '"') {
        inText = true;
      } else if (b == '{' || b == '[') {
        depth++;
        if (depth > NESTING_MAX) {
          throw new BadRequestException("exceeded max depth");
        }
      } else if (b == '}' || b == ']') {
        depth--;
      }
      if (depth == 0 && !inText) {
        return i + 1;
      }
    }
    throw new BadRequestException("unexpected EOF");
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }
}
