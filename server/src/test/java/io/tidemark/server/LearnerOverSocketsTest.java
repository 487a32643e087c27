package io.tidemark.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.ClusterGrpc;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.MaintenanceGrpc;
import io.tidemark.api.etcdserverpb.MemberAddRequest;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.RangeRequest;
import io.tidemark.api.etcdserverpb.SnapshotRequest;
import io.tidemark.api.etcdserverpb.SnapshotResponse;
import io.tidemark.api.etcdserverpb.StatusRequest;
import io.tidemark.clusterconfig.MemberConfig;
import java.net.URI;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A learner serves what etcd's learners serve, whether it lives, and the console; nothing else. */
@Timeout(60)
final class LearnerOverSocketsTest {
  private static final Set<String> SERVED =
      Set.of(
          "etcdserverpb.Maintenance/Status",
          "etcdserverpb.Maintenance/Snapshot",
          "grpc.health.v1.Health/Check",
          "grpc.health.v1.Health/Watch",
          "tidemarkpb.Console/Members",
          "tidemarkpb.Console/Children",
          "tidemarkpb.Console/History");

  private static final PutRequest PUT =
      PutRequest.newBuilder()
          .setKey(ByteString.copyFromUtf8("k"))
          .setValue(ByteString.copyFromUtf8("v"))
          .build();

  private static final RangeRequest LOCAL =
      RangeRequest.newBuilder().setKey(PUT.getKey()).setSerializable(true).build();

  private static LoneMember voter;
  private static Member learner;
  private static ManagedChannel channel;

  @BeforeAll
  static void start(@TempDir Path data) throws Exception {
    MemberConfig first = LoneMember.config(data.resolve("voter"), List.of());
    voter = LoneMember.start(first);
    KVGrpc.newBlockingStub(voter.channel).put(PUT);
    MemberConfig second =
        LoneMember.joining("learner", data.resolve("learner"), "lone=" + peerUrl(first));
    ClusterGrpc.newBlockingStub(voter.channel)
        .memberAdd(
            MemberAddRequest.newBuilder()
                .addPeerURLs(peerUrl(second).toString())
                .setIsLearner(true)
                .build());
    learner = Member.start(second, (name, what, cause) -> {});
    learner.ready().get(30, TimeUnit.SECONDS);
    channel =
        NettyChannelBuilder.forAddress("127.0.0.1", learner.clientPorts().get(0))
            .usePlaintext()
            .build();
  }

  private static URI peerUrl(MemberConfig config) {
    return config.urls().advertisePeer().get(0);
  }

  @AfterAll
  static void stop() {
    channel.shutdownNow();
    learner.close();
    voter.close();
  }

  @TestFactory
  Stream<DynamicTest> everyMethodIsServedOrRefused() {
    return BareCalls.methods()
        .map(
            method ->
                DynamicTest.dynamicTest(
                    method.getFullMethodName(), () -> assertServedOrRefused(method)));
  }

  private static void assertServedOrRefused(MethodDescriptor<?, ?> method) throws Exception {
    boolean served = SERVED.contains(method.getFullMethodName());
    Status status =
        BareCalls.answerToNothing(channel, method, served ? 1 : 20).get(20, TimeUnit.SECONDS);
    boolean refused =
        status.getCode() == Status.Code.FAILED_PRECONDITION
            && EtcdError.NOT_SUPPORTED_FOR_LEARNER.message().equals(status.getDescription());
    assertEquals(!served, refused, status::toString);
  }

  @Test
  void itReadsItsOwnStore() {
    var read = KVGrpc.newBlockingStub(channel).range(LOCAL);
    assertEquals(1, read.getCount());
    assertEquals("v", read.getKvs(0).getValue().toStringUtf8());
  }

  @Test
  void itSaysThatItIsOne() {
    var status =
        MaintenanceGrpc.newBlockingStub(channel).status(StatusRequest.getDefaultInstance());
    assertTrue(status.getIsLearner());
  }

  @Test
  void itsStoreCanBeSaved() {
    Iterator<SnapshotResponse> parts =
        MaintenanceGrpc.newBlockingStub(channel).snapshot(SnapshotRequest.getDefaultInstance());
    long bytes = 0;
    SnapshotResponse last = SnapshotResponse.getDefaultInstance();
    while (parts.hasNext()) {
      last = parts.next();
      bytes += last.getBlob().size();
    }
    assertEquals(32, last.getBlob().size()); // the digest of all before it
    assertEquals(32, bytes % 512);
  }
}
