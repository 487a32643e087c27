package io.tidemark.it.clients;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import io.tidemark.it.rig.ProcessCluster;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;

/** Requests to the JSON gateway, written briefly, and their answers. */
final class GatewayRequests {
  static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private GatewayRequests() {}

  /** Single quotes stand for double ones; a text in angle brackets for itself in base64. */
  static String json(String template) {
    StringBuilder out = new StringBuilder();
    for (String part : template.replace('\'', '"').split("(?=<)|(?<=>)")) {
      out.append(part.startsWith("<") ? base64(part.substring(1, part.length() - 1)) : part);
    }
    return out.toString();
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  /** A request to the first member. */
  static HttpRequest.Builder to(ProcessCluster cluster, String path, String body) {
    return HttpRequest.newBuilder(URI.create("http://" + cluster.endpoint(0) + path))
        .timeout(Duration.ofSeconds(20))
        .POST(HttpRequest.BodyPublishers.ofString(json(body)));
  }

  static HttpResponse<String> post(ProcessCluster cluster, String path, String body)
      throws Exception {
    return HTTP.send(to(cluster, path, body).build(), BodyHandlers.ofString());
  }

  /** Without ids, terms, addresses and tokens, which differ from cluster to cluster. */
  static JsonElement blanked(String body) {
    return JsonParser.parseString(
        body.replaceAll("\"(cluster_id|member_id|raft_term|token)\":\"[^\"]*\"", "\"$1\":\"?\"")
            .replaceAll("127\\.0\\.0\\.1:\\d+", "address")
            .replaceAll("\"(ID|leader)\":\"\\d{12,}\"", "\"$1\":\"?\"")
            .replaceAll("\"TTL\":\"5\\d\"", "\"TTL\":\"60\""));
  }
}
