package io.tidemark.it.client;

import com.google.protobuf.ByteString;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.tidemark.api.etcdserverpb.AlarmRequest;
import io.tidemark.api.etcdserverpb.AlarmResponse;
import io.tidemark.api.etcdserverpb.AuthGrpc;
import io.tidemark.api.etcdserverpb.AuthenticateRequest;
import io.tidemark.api.etcdserverpb.ClusterGrpc;
import io.tidemark.api.etcdserverpb.CompactionRequest;
import io.tidemark.api.etcdserverpb.CompactionResponse;
import io.tidemark.api.etcdserverpb.DeleteRangeRequest;
import io.tidemark.api.etcdserverpb.DeleteRangeResponse;
import io.tidemark.api.etcdserverpb.HashKVRequest;
import io.tidemark.api.etcdserverpb.HashKVResponse;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.MaintenanceGrpc;
import io.tidemark.api.etcdserverpb.MemberAddRequest;
import io.tidemark.api.etcdserverpb.MemberAddResponse;
import io.tidemark.api.etcdserverpb.MemberListRequest;
import io.tidemark.api.etcdserverpb.MemberListResponse;
import io.tidemark.api.etcdserverpb.MemberPromoteRequest;
import io.tidemark.api.etcdserverpb.MemberPromoteResponse;
import io.tidemark.api.etcdserverpb.MemberRemoveRequest;
import io.tidemark.api.etcdserverpb.MemberRemoveResponse;
import io.tidemark.api.etcdserverpb.MemberUpdateRequest;
import io.tidemark.api.etcdserverpb.MemberUpdateResponse;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.PutResponse;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.RangeResponse;
import io.tidemark.api.etcdserverpb.StatusRequest;
import io.tidemark.api.etcdserverpb.StatusResponse;
import io.tidemark.api.etcdserverpb.TxnRequest;
import io.tidemark.api.etcdserverpb.TxnResponse;
import io.tidemark.api.etcdserverpb.WatchGrpc;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * One channel to one member. Every call is one attempt that blocks until it ends or its deadline
 * passes. Any thread; calls run side by side.
 */
public final class MemberClient implements AutoCloseable {
  private static final int MESSAGE_BYTES_MAX = 256 << 20;

  /** Longer than the server's own limit of 7 s, so that the server's answer is the one seen. */
  public static final Duration PATIENCE = Duration.ofSeconds(15);

  private final ManagedChannel channel;
  private final Channel calls;
  private final Duration patience;

  private MemberClient(ManagedChannel channel, Channel calls, Duration patience) {
    this.channel = channel;
    this.calls = calls;
    this.patience = patience;
  }

  /** A client of the member at this loopback port. Connects when first used. */
  public static MemberClient connect(int port) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", port)
            .usePlaintext()
            .disableRetry()
            .maxInboundMessageSize(MESSAGE_BYTES_MAX)
            .build();
    return new MemberClient(channel, channel, PATIENCE);
  }

  /** The same channel with another deadline; closing either closes both. */
  public MemberClient patient(Duration limit) {
    return new MemberClient(channel, calls, limit);
  }

  /** The same channel with a token on every call; closing either closes both. */
  public MemberClient withToken(String token) {
    Metadata headers = new Metadata();
    headers.put(Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER), token);
    return new MemberClient(
        channel,
        ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers)),
        patience);
  }

  /** Users and roles. */
  public AuthGrpc.AuthBlockingStub auth() {
    return AuthGrpc.newBlockingStub(calls)
        .withDeadlineAfter(patience.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Logs in and gives the same client with the token. */
  public MemberClient login(String user, String password) {
    return withToken(
        auth()
            .authenticate(
                AuthenticateRequest.newBuilder().setName(user).setPassword(password).build())
            .getToken());
  }

  /** Dials now if a broken connection is waiting for its next try. */
  public void redial() {
    channel.resetConnectBackoff();
  }

  public Attempt<PutResponse> put(PutRequest request) {
    return attempt(() -> kv().put(request));
  }

  public Attempt<PutResponse> put(String key, String value) {
    return put(
        PutRequest.newBuilder()
            .setKey(ByteString.copyFromUtf8(key))
            .setValue(ByteString.copyFromUtf8(value))
            .build());
  }

  public Attempt<RangeResponse> range(RangeRequest request) {
    return attempt(() -> kv().range(request));
  }

  /** One key, linearizable. */
  public Attempt<RangeResponse> get(String key) {
    return range(RangeRequest.newBuilder().setKey(ByteString.copyFromUtf8(key)).build());
  }

  /** One key from the member's own state. */
  public Attempt<RangeResponse> getLocal(String key) {
    return range(
        RangeRequest.newBuilder()
            .setKey(ByteString.copyFromUtf8(key))
            .setSerializable(true)
            .build());
  }

  public Attempt<DeleteRangeResponse> delete(DeleteRangeRequest request) {
    return attempt(() -> kv().deleteRange(request));
  }

  public Attempt<DeleteRangeResponse> delete(String key) {
    return delete(DeleteRangeRequest.newBuilder().setKey(ByteString.copyFromUtf8(key)).build());
  }

  public Attempt<TxnResponse> txn(TxnRequest request) {
    return attempt(() -> kv().txn(request));
  }

  public Attempt<CompactionResponse> compact(long revision) {
    return attempt(
        () -> kv().compact(CompactionRequest.newBuilder().setRevision(revision).build()));
  }

  public Attempt<StatusResponse> status() {
    return attempt(() -> maintenance().status(StatusRequest.getDefaultInstance()));
  }

  public Attempt<AlarmResponse> alarm(AlarmRequest request) {
    return attempt(() -> maintenance().alarm(request));
  }

  public Attempt<HashKVResponse> hashKv(long revision) {
    return attempt(
        () -> maintenance().hashKV(HashKVRequest.newBuilder().setRevision(revision).build()));
  }

  public Attempt<MemberAddResponse> memberAdd(URI peerUrl, boolean learner) {
    MemberAddRequest request =
        MemberAddRequest.newBuilder().addPeerURLs(peerUrl.toString()).setIsLearner(learner).build();
    return attempt(() -> cluster().memberAdd(request));
  }

  public Attempt<MemberRemoveResponse> memberRemove(long id) {
    MemberRemoveRequest request = MemberRemoveRequest.newBuilder().setID(id).build();
    return attempt(() -> cluster().memberRemove(request));
  }

  public Attempt<MemberUpdateResponse> memberUpdate(long id, URI peerUrl) {
    MemberUpdateRequest request =
        MemberUpdateRequest.newBuilder().setID(id).addPeerURLs(peerUrl.toString()).build();
    return attempt(() -> cluster().memberUpdate(request));
  }

  public Attempt<MemberPromoteResponse> memberPromote(long id) {
    MemberPromoteRequest request = MemberPromoteRequest.newBuilder().setID(id).build();
    return attempt(() -> cluster().memberPromote(request));
  }

  public Attempt<MemberListResponse> memberList() {
    return attempt(
        () -> cluster().memberList(MemberListRequest.newBuilder().setLinearizable(true).build()));
  }

  /** Opens one watch stream. */
  public WatchProbe watch() {
    WatchProbe probe = new WatchProbe();
    probe.attach(WatchGrpc.newStub(calls).watch(probe));
    return probe;
  }

  /** The channel, for calls that have no method here. */
  public ManagedChannel channel() {
    return channel;
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }

  private KVGrpc.KVBlockingStub kv() {
    return KVGrpc.newBlockingStub(calls)
        .withDeadlineAfter(patience.toNanos(), TimeUnit.NANOSECONDS);
  }

  private ClusterGrpc.ClusterBlockingStub cluster() {
    return ClusterGrpc.newBlockingStub(calls)
        .withDeadlineAfter(patience.toNanos(), TimeUnit.NANOSECONDS);
  }

  private MaintenanceGrpc.MaintenanceBlockingStub maintenance() {
    return MaintenanceGrpc.newBlockingStub(calls)
        .withDeadlineAfter(patience.toNanos(), TimeUnit.NANOSECONDS);
  }

  private static <T> Attempt<T> attempt(Supplier<T> call) {
    try {
      return new Attempt.Answered<>(call.get());
    } catch (StatusRuntimeException refused) {
      return new Attempt.Refused<>(refused.getStatus());
    }
  }
}
