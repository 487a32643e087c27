package io.tidemark.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.ByteString;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.MaintenanceGrpc;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.StatusRequest;
import io.tidemark.api.etcdserverpb.StatusResponse;
import io.tidemark.api.etcdserverpb.WatchGrpc;
import io.tidemark.api.etcdserverpb.WatchResponse;
import io.tidemark.api.healthpb.HealthCheckRequest;
import io.tidemark.api.healthpb.HealthCheckResponse;
import io.tidemark.api.healthpb.HealthGrpc;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One of three members, the others never started: what it still answers, and what it refuses. */
@Timeout(60)
final class NoLeaderTest {
  private static Member member;
  private static ManagedChannel channel;
  private static Channel requiringLeader;

  @BeforeAll
  static void start(@TempDir Path data) throws Exception {
    // nothing listens on these ports of the loopback network
    member =
        Member.start(
            LoneMember.config(data, List.of("b=http://127.0.0.9:9", "c=http://127.0.0.9:10")),
            (name, what, cause) -> {});
    channel =
        NettyChannelBuilder.forAddress("127.0.0.1", member.clientPorts().get(0))
            .usePlaintext()
            .build();
    Metadata metadata = new Metadata();
    metadata.put(Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER), "true");
    requiringLeader =
        ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(metadata));
  }

  @AfterAll
  static void stop() {
    channel.shutdownNow();
    member.close();
  }

  private static final PutRequest PUT =
      PutRequest.newBuilder().setKey(ByteString.copyFromUtf8("k")).build();

  private static void assertNoLeader(Status status) {
    assertEquals(Status.Code.UNAVAILABLE, status.getCode());
    assertEquals(EtcdError.NO_LEADER.message(), status.getDescription());
  }

  @Test
  void callsThatRequireALeaderAreRefusedAtOnce() throws Exception {
    assertNoLeader(
        assertThrows(
                StatusRuntimeException.class,
                () -> KVGrpc.newBlockingStub(requiringLeader).put(PUT))
            .getStatus());
    CompletableFuture<Status> end = new CompletableFuture<>();
    var unused =
        WatchGrpc.newStub(requiringLeader)
            .watch(
                new StreamObserver<WatchResponse>() {
                  @Override
                  public void onNext(WatchResponse response) {}

                  @Override
                  public void onError(Throwable failure) {
                    end.complete(Status.fromThrowable(failure));
                  }

                  @Override
                  public void onCompleted() {
                    end.complete(Status.OK);
                  }
                });
    assertNoLeader(end.get(10, TimeUnit.SECONDS));
  }

  /** The write may not be called failed: it waits for its time-out. */
  @Test
  void writeWithoutLeaderTimesOut() {
    StatusRuntimeException e =
        assertThrows(StatusRuntimeException.class, () -> KVGrpc.newBlockingStub(channel).put(PUT));
    assertEquals(EtcdError.TIMEOUT.message(), e.getStatus().getDescription());
    assertEquals(EtcdError.TIMEOUT.code(), e.getStatus().getCode().value());
  }

  @Test
  void localReadsGoOn() {
    assertEquals(
        0,
        KVGrpc.newBlockingStub(channel)
            .range(
                RangeRequest.newBuilder()
                    .setKey(ByteString.copyFromUtf8("k"))
                    .setSerializable(true)
                    .build())
            .getCount());
    StatusResponse status =
        MaintenanceGrpc.newBlockingStub(channel).status(StatusRequest.getDefaultInstance());
    assertEquals(0, status.getLeader());
    assertEquals(List.of(EtcdError.NO_LEADER.message()), status.getErrorsList());
  }

  @Test
  void memberIsNotReady() throws Exception {
    assertFalse(member.ready().isDone());
    assertEquals(
        HealthCheckResponse.ServingStatus.NOT_SERVING,
        HealthGrpc.newBlockingStub(channel)
            .check(HealthCheckRequest.getDefaultInstance())
            .getStatus());
    HttpResponse<String> health =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + member.clientPorts().get(0) + "/health"))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    assertEquals(503, health.statusCode());
    assertEquals("{\"health\":\"false\",\"reason\":\"RAFT NO LEADER\"}", health.body());
  }
}
