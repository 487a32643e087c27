package io.tidemark.it.security;

import com.google.common.util.concurrent.MoreExecutors;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.tidemark.api.etcdserverpb.WatchResponse;
import io.tidemark.it.support.RawBytes;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests without waiting for their answers, so many at a time. Each ends: an answer that
 * doesn't come within a minute is one, too. Answers are told on threads of the clients.
 */
final class Barrage implements AutoCloseable {
  private static final int AT_A_TIME = 128;

  /** How long calls are listened to that wouldn't end by themselves. */
  private static final int WAITING_MILLIS = 50;

  private final Semaphore permits = new Semaphore(AT_A_TIME);
  private final URI endpoint;
  private final ManagedChannel channel;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Consumer<Answer> listener;

  Barrage(URI endpoint, Consumer<Answer> listener) {
    this.endpoint = endpoint;
    this.channel =
        NettyChannelBuilder.forAddress(endpoint.getHost(), endpoint.getPort())
            .usePlaintext()
            .disableRetry()
            .build();
    this.listener = listener;
  }

  ManagedChannel channel() {
    return channel;
  }

  /** Waits until all answers are there. */
  void awaitAll() throws InterruptedException {
    if (!permits.tryAcquire(AT_A_TIME, 120, TimeUnit.SECONDS)) {
      throw new AssertionError(
          "calls without an answer: " + (AT_A_TIME - permits.availablePermits()));
    }
    permits.release(AT_A_TIME);
  }

  private void told(SampleCall call, Status status) {
    permits.release();
    listener.accept(new Answer(call, status));
  }

  void overGrpc(SampleCall sample, byte[] message, String token) throws InterruptedException {
    permits.acquire();
    ClientCall<byte[], byte[]> call =
        channel.newCall(
            sample.method().toBuilder(RawBytes.MARSHALLER, RawBytes.MARSHALLER).build(),
            CallOptions.DEFAULT
                .withExecutor(MoreExecutors.directExecutor())
                .withDeadlineAfter(
                    sample.waits() ? WAITING_MILLIS : 60_000, TimeUnit.MILLISECONDS));
    Metadata headers = new Metadata();
    if (!token.isEmpty()) {
      headers.put(Everybody.TOKEN, token);
    }
    call.start(new Ear(sample, call), headers);
    call.request(Integer.MAX_VALUE);
    call.sendMessage(message);
    call.halfClose();
  }

  private final class Ear extends ClientCall.Listener<byte[]> {
    private final SampleCall sample;
    private final ClientCall<?, ?> call;
    private @Nullable Status heard;

    Ear(SampleCall sample, ClientCall<?, ?> call) {
      this.sample = sample;
      this.call = call;
    }

    @Override
    public void onMessage(byte[] message) {
      if (sample.waits() && heard == null) {
        heard = isRefusal(message) ? Status.PERMISSION_DENIED : Status.OK;
        call.cancel("heard", null);
      }
    }

    private boolean isRefusal(byte[] message) {
      try {
        return sample.name().equals("etcdserverpb.Watch/Watch")
            && WatchResponse.parseFrom(message).getCanceled();
      } catch (InvalidProtocolBufferException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      told(sample, heard == null ? status : heard);
    }
  }

  void overHttp(SampleCall sample, String path, byte[] body, String token)
      throws InterruptedException {
    permits.acquire();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(endpoint.resolve(path))
            .timeout(Duration.ofSeconds(60))
            .header("Grpc-Timeout", sample.waits() ? WAITING_MILLIS + "m" : "60S")
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    if (!token.isEmpty()) {
      request.header("Authorization", token);
    }
    var unused =
        http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString())
            .handle(
                (response, failure) -> {
                  told(
                      sample,
                      response == null ? Status.UNAVAILABLE.withCause(failure) : status(response));
                  return response;
                });
  }

  /** The status behind an HTTP answer; of a stream that behind its first line. */
  private static Status status(HttpResponse<String> response) {
    String body = response.body();
    int end = body.indexOf('\n');
    String first = end < 0 ? body : body.substring(0, end);
    if (first.isEmpty() && response.statusCode() == 200) {
      // A stream that held no request, and so no reply.
      return Status.CANCELLED;
    }
    JsonObject answer = object(first);
    if (answer == null) {
      return Status.ABORTED.withDescription("HTTP " + response.statusCode() + " " + first);
    }
    JsonElement line = answer.get("error");
    if (line != null && line.isJsonObject()) {
      return status(line.getAsJsonObject(), response);
    }
    if (response.statusCode() != 200) {
      return status(answer, response);
    }
    return first.contains("\"canceled\":true") ? Status.PERMISSION_DENIED : Status.OK;
  }

  private static @Nullable JsonObject object(String json) {
    try {
      return JsonParser.parseString(json).getAsJsonObject();
    } catch (JsonParseException | IllegalStateException e) {
      return null;
    }
  }

  private static Status status(JsonObject error, HttpResponse<String> response) {
    Status status =
        Status.fromCodeValue(error.get("code").getAsInt())
            .withDescription(error.get("message").getAsString());
    boolean serverFault = response.statusCode() >= 500;
    boolean sayable =
        switch (status.getCode()) {
          case UNKNOWN, DEADLINE_EXCEEDED -> true; // the judge looks at the text
          default -> !serverFault;
        };
    return sayable
        ? status
        : Status.ABORTED.withDescription("HTTP " + response.statusCode() + " " + status);
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
