package io.tidemark.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.CompactionRequest;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.WatchCancelRequest;
import io.tidemark.api.etcdserverpb.WatchCreateRequest;
import io.tidemark.api.etcdserverpb.WatchGrpc;
import io.tidemark.api.etcdserverpb.WatchProgressRequest;
import io.tidemark.api.etcdserverpb.WatchRequest;
import io.tidemark.api.etcdserverpb.WatchResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class WatchOverSocketsTest {
  private static LoneMember lone;
  private static KVGrpc.KVBlockingStub kv;

  @BeforeAll
  static void start(@TempDir Path data) throws Exception {
    lone = LoneMember.start(data);
    kv = KVGrpc.newBlockingStub(lone.channel);
  }

  @AfterAll
  static void stop() {
    lone.close();
  }

  /** A stream and what came out of it. */
  private static final class Client implements ClientResponseObserver<WatchRequest, WatchResponse> {
    final BlockingQueue<WatchResponse> responses = new LinkedBlockingQueue<>();
    final CompletableFuture<Status> end = new CompletableFuture<>();
    private @Nullable ClientCallStreamObserver<WatchRequest> stream;

    static Client open(LoneMember of) {
      Client client = new Client();
      WatchGrpc.newStub(of.channel).watch(client);
      return client;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<WatchRequest> requests) {
      stream = requests;
    }

    ClientCallStreamObserver<WatchRequest> requests() {
      return Objects.requireNonNull(stream);
    }

    @Override
    public void onNext(WatchResponse response) {
      responses.add(response);
    }

    @Override
    public void onError(Throwable failure) {
      end.complete(Status.fromThrowable(failure));
    }

    @Override
    public void onCompleted() {
      end.complete(Status.OK);
    }

    void create(String key, long startRevision) {
      requests()
          .onNext(
              WatchRequest.newBuilder()
                  .setCreateRequest(
                      WatchCreateRequest.newBuilder()
                          .setKey(ByteString.copyFromUtf8(key))
                          .setStartRevision(startRevision)
                          .setPrevKv(true))
                  .build());
    }

    WatchResponse next() throws InterruptedException {
      WatchResponse response = responses.poll(20, TimeUnit.SECONDS);
      if (response == null) {
        throw new AssertionError("no response; end: " + end.getNow(null));
      }
      return response;
    }

    void cancel() {
      requests().cancel("done", null);
    }
  }

  private static long put(String key, String value) {
    return kv.put(
            PutRequest.newBuilder()
                .setKey(ByteString.copyFromUtf8(key))
                .setValue(ByteString.copyFromUtf8(value))
                .build())
        .getHeader()
        .getRevision();
  }

  private static void awaitStreams(int count) {
    while (lone.member.raft().watch().gauges().streams() != count) {
      Thread.onSpinWait();
    }
  }

  @Test
  void lifeOfAWatcher() throws Exception {
    long before = put("life", "0");
    Client client = Client.open(lone);
    client.create("life", 0);
    WatchResponse created = client.next();
    assertTrue(created.getCreated());
    assertEquals(0, created.getWatchId());
    assertEquals(before, created.getHeader().getRevision());
    assertTrue(created.getHeader().getClusterId() != 0);
    long revision = put("life", "1");
    WatchResponse event = client.next();
    assertEquals(revision, event.getHeader().getRevision());
    assertEquals(lone.member.raft().status().memberId(), event.getHeader().getMemberId());
    assertEquals(1, event.getEventsCount());
    assertEquals("1", event.getEvents(0).getKv().getValue().toStringUtf8());
    assertEquals("0", event.getEvents(0).getPrevKv().getValue().toStringUtf8());
    client
        .requests()
        .onNext(
            WatchRequest.newBuilder()
                .setProgressRequest(WatchProgressRequest.getDefaultInstance())
                .build());
    WatchResponse progress = client.next();
    assertEquals(-1, progress.getWatchId());
    assertEquals(revision, progress.getHeader().getRevision());
    assertEquals(0, progress.getEventsCount());
    client
        .requests()
        .onNext(
            WatchRequest.newBuilder()
                .setCancelRequest(WatchCancelRequest.newBuilder().setWatchId(0))
                .build());
    WatchResponse canceled = client.next();
    assertTrue(canceled.getCanceled());
    assertEquals("", canceled.getCancelReason());
    client.cancel();
    awaitStreams(0);
  }

  @Test
  void watchesOfOneKeyGetTheSameEventsUnderTheirOwnIds() throws Exception {
    List<Client> clients = List.of(Client.open(lone), Client.open(lone), Client.open(lone));
    for (Client client : clients) {
      for (int id = 0; id < 2; id++) {
        client.create("same", 0);
        assertTrue(client.next().getCreated());
      }
    }
    for (int round = 0; round < 50; round++) {
      long revision = put("same", "v" + round);
      for (Client client : clients) {
        List<WatchResponse> both = List.of(client.next(), client.next());
        assertEquals(
            List.of(0L, 1L), both.stream().map(WatchResponse::getWatchId).sorted().toList());
        for (WatchResponse response : both) {
          assertEquals(revision, response.getHeader().getRevision());
          assertEquals(1, response.getEventsCount());
          assertEquals(revision, response.getEvents(0).getKv().getModRevision());
          assertEquals(round > 0, response.getEvents(0).hasPrevKv());
        }
      }
    }
    clients.forEach(Client::cancel);
    awaitStreams(0);
  }

  @Test
  void halfClosedStreamKeepsItsEventsUntilCancelled() throws Exception {
    Client client = Client.open(lone);
    client.create("half", 0);
    assertTrue(client.next().getCreated());
    client.requests().onCompleted();
    put("half", "1");
    assertEquals("1", client.next().getEvents(0).getKv().getValue().toStringUtf8());
    client.cancel();
    awaitStreams(0);
    // The dispatcher takes the watchers off in its next turn.
    while (lone.member.raft().watch().gauges().watchers() != 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  void refusedCreateLeavesTheStreamOpen() throws Exception {
    Client client = Client.open(lone);
    client.create("refused", -1);
    WatchResponse refused = client.next();
    assertTrue(refused.getCreated() && refused.getCanceled());
    assertEquals(-1, refused.getWatchId());
    assertEquals(EtcdError.COMPACTED.message(), refused.getCancelReason());
    client.create("refused", 0);
    assertEquals(0, client.next().getWatchId());
    client.cancel();
    awaitStreams(0);
  }

  @Test
  void compactedStartIsCreatedAndCancelled() throws Exception {
    put("compacted", "1");
    long last = put("compacted", "2");
    kv.compact(CompactionRequest.newBuilder().setRevision(last).build());
    Client client = Client.open(lone);
    client.create("compacted", last - 1);
    assertTrue(client.next().getCreated());
    WatchResponse canceled = client.next();
    assertTrue(canceled.getCanceled());
    assertEquals(last, canceled.getCompactRevision());
    client.cancel();
    awaitStreams(0);
  }

  /** A client that asks for thousands of watchers before it reads a single answer. */
  @Test
  void manyCreatesAreAnsweredInOrder() throws Exception {
    Client client = Client.open(lone);
    int count = 5000;
    for (int i = 0; i < count; i++) {
      client.create("many/" + i, 0);
    }
    for (int i = 0; i < count; i++) {
      assertEquals(i, client.next().getWatchId());
    }
    client.cancel();
    awaitStreams(0);
  }

  /** A client that stops reading holds little; when it reads again nothing is missing. */
  @Test
  void stalledClientCatchesUp() throws Exception {
    List<WatchResponse> received = new ArrayList<>();
    CompletableFuture<Void> all = new CompletableFuture<>();
    int writes = 200;
    String value = "v".repeat(50_000);
    ClientCallStreamObserver<WatchRequest>[] stream = newArray();
    WatchGrpc.newStub(lone.channel)
        .watch(
            new ClientResponseObserver<WatchRequest, WatchResponse>() {
              private int events;

              @Override
              public void beforeStart(ClientCallStreamObserver<WatchRequest> requests) {
                stream[0] = requests;
                requests.disableAutoRequestWithInitial(1);
              }

              @Override
              public void onNext(WatchResponse response) {
                received.add(response);
                events += response.getEventsCount();
                if (events == writes) {
                  all.complete(null);
                } else if (response.getEventsCount() > 0) {
                  stream[0].request(1);
                }
              }

              @Override
              public void onError(Throwable failure) {
                all.completeExceptionally(failure);
              }

              @Override
              public void onCompleted() {
                all.complete(null);
              }
            });
    stream[0].onNext(
        WatchRequest.newBuilder()
            .setCreateRequest(
                WatchCreateRequest.newBuilder().setKey(ByteString.copyFromUtf8("stalled")))
            .build());
    for (int i = 0; i < writes; i++) {
      put("stalled", i + value);
    }
    stream[0].request(1);
    all.get(30, TimeUnit.SECONDS);
    long revision = 0;
    int next = 0;
    for (WatchResponse response : received) {
      for (var event : response.getEventsList()) {
        assertTrue(event.getKv().getModRevision() > revision);
        revision = event.getKv().getModRevision();
        assertEquals(next++ + value, event.getKv().getValue().toStringUtf8());
      }
    }
    stream[0].cancel("done", null);
    awaitStreams(0);
  }

  @SuppressWarnings("unchecked")
  private static ClientCallStreamObserver<WatchRequest>[] newArray() {
    return (ClientCallStreamObserver<WatchRequest>[]) new ClientCallStreamObserver<?>[1];
  }

  @Test
  void stoppingMemberSendsWatchersElsewhere(@TempDir Path data) throws Exception {
    LoneMember other = LoneMember.start(data);
    Client client = Client.open(other);
    client.create("stop", 0);
    assertTrue(client.next().getCreated());
    other.member.close();
    Status end = client.end.get(10, TimeUnit.SECONDS);
    assertEquals(EtcdError.STOPPED.message(), end.getDescription());
    assertEquals(Status.Code.UNAVAILABLE, end.getCode());
    other.close();
  }
}
