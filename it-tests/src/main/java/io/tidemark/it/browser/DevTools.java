package io.tidemark.it.browser;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tidemark.it.process.Patience;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One connection of the debugging protocol: numbered requests with their answers, and events.
 * Requests come from one thread; answers arrive on the socket's.
 */
final class DevTools implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final Map<Integer, CompletableFuture<JsonObject>> open = new ConcurrentHashMap<>();
  private final List<JsonObject> events = new CopyOnWriteArrayList<>();
  private final AtomicInteger ids = new AtomicInteger();
  private final WebSocket socket;

  DevTools(URI address) {
    this.socket =
        HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(address, new Incoming()).join();
  }

  /** Sends a request and waits for what it gives. */
  JsonObject call(String method, JsonObject parameters) {
    int id = ids.incrementAndGet();
    CompletableFuture<JsonObject> answer = new CompletableFuture<>();
    open.put(id, answer);
    JsonObject request = new JsonObject();
    request.addProperty("id", id);
    request.addProperty("method", method);
    request.add("params", parameters);
    socket.sendText(request.toString(), true).join();
    JsonObject message = await(method, answer);
    if (message.has("error")) {
      throw new AssertionError(method + ": " + message.get("error"));
    }
    return message.getAsJsonObject("result");
  }

  /** What the browser told unasked, of this kind. */
  List<JsonObject> events(String method) {
    return events.stream()
        .filter(event -> event.get("method").getAsString().equals(method))
        .map(event -> event.getAsJsonObject("params"))
        .toList();
  }

  private static JsonObject await(String what, CompletableFuture<JsonObject> answer) {
    try {
      return answer.get(Patience.stretch(LIMIT).toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException | ExecutionException failed) {
      throw new AssertionError("the browser did not answer " + what, failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for " + what, interrupted);
    }
  }

  @Override
  public void close() {
    socket.abort();
  }

  private void take(String text) {
    JsonObject message = JsonParser.parseString(text).getAsJsonObject();
    if (!message.has("id")) {
      events.add(message);
      return;
    }
    CompletableFuture<JsonObject> waiting = open.remove(message.get("id").getAsInt());
    if (waiting != null) {
      waiting.complete(message);
    }
  }

  /** Messages come in pieces. */
  private final class Incoming implements WebSocket.Listener {
    private final StringBuilder pieces = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence piece, boolean last) {
      pieces.append(piece);
      if (last) {
        String text = pieces.toString();
        pieces.setLength(0);
        take(text);
      }
      from.request(1);
      return CompletableFuture.completedFuture(null);
    }
  }
}
