package io.tidemark.server.http;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.Map;

/**
 * A whole HTTP request.
 *
 * @param method upper-case method name
 * @param path decoded path without the query
 * @param query decoded query parameters in order of appearance
 * @param headers first value of each header, names in lower case
 * @param body the body, empty when there is none
 * @param caller whoever asked
 */
public record HttpQuestion(
    String method,
    String path,
    Map<String, List<String>> query,
    Map<String, String> headers,
    ByteString body,
    HttpCaller caller) {

  public HttpQuestion {
    query = Map.copyOf(query);
    headers = Map.copyOf(headers);
  }

  /** All values of one query parameter; empty when it was not given. */
  public List<String> parameters(String name) {
    return query.getOrDefault(name, List.of());
  }

  /** Whether the parameter is there with no value or with the value {@code true}. */
  public boolean flag(String name) {
    List<String> values = parameters(name);
    return !values.isEmpty() && (values.get(0).isEmpty() || values.get(0).equals("true"));
  }
}
