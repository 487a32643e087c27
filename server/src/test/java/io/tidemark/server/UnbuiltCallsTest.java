package io.tidemark.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.protobuf.ProtoFileDescriptorSupplier;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every method of the protocol is either built, and listed here, or answers UNIMPLEMENTED. */
@Timeout(60)
final class UnbuiltCallsTest {
  /** What is built. Whoever builds a method adds it here. */
  private static final Set<String> BUILT =
      Set.of(
          "etcdserverpb.KV/Range",
          "etcdserverpb.Maintenance/Downgrade",
          "etcdserverpb.KV/RangeStream",
          "etcdserverpb.KV/Put",
          "etcdserverpb.KV/DeleteRange",
          "etcdserverpb.KV/Txn",
          "etcdserverpb.KV/Compact",
          "etcdserverpb.Watch/Watch",
          "etcdserverpb.Lease/LeaseGrant",
          "etcdserverpb.Lease/LeaseRevoke",
          "etcdserverpb.Lease/LeaseKeepAlive",
          "etcdserverpb.Lease/LeaseTimeToLive",
          "etcdserverpb.Lease/LeaseLeases",
          "v3lockpb.Lock/Lock",
          "v3lockpb.Lock/Unlock",
          "v3electionpb.Election/Campaign",
          "v3electionpb.Election/Proclaim",
          "v3electionpb.Election/Leader",
          "v3electionpb.Election/Observe",
          "v3electionpb.Election/Resign",
          "etcdserverpb.Cluster/MemberAdd",
          "etcdserverpb.Cluster/MemberList",
          "etcdserverpb.Cluster/MemberPromote",
          "etcdserverpb.Cluster/MemberRemove",
          "etcdserverpb.Cluster/MemberUpdate",
          "etcdserverpb.Maintenance/Alarm",
          "etcdserverpb.Maintenance/Defragment",
          "etcdserverpb.Maintenance/MoveLeader",
          "etcdserverpb.Maintenance/Status",
          "etcdserverpb.Maintenance/Hash",
          "etcdserverpb.Maintenance/HashKV",
          "etcdserverpb.Maintenance/Snapshot",
          "etcdserverpb.Auth/AuthEnable",
          "etcdserverpb.Auth/AuthDisable",
          "etcdserverpb.Auth/AuthStatus",
          "etcdserverpb.Auth/Authenticate",
          "etcdserverpb.Auth/UserAdd",
          "etcdserverpb.Auth/UserGet",
          "etcdserverpb.Auth/UserList",
          "etcdserverpb.Auth/UserDelete",
          "etcdserverpb.Auth/UserChangePassword",
          "etcdserverpb.Auth/UserGrantRole",
          "etcdserverpb.Auth/UserRevokeRole",
          "etcdserverpb.Auth/RoleAdd",
          "etcdserverpb.Auth/RoleGet",
          "etcdserverpb.Auth/RoleList",
          "etcdserverpb.Auth/RoleDelete",
          "etcdserverpb.Auth/RoleGrantPermission",
          "etcdserverpb.Auth/RoleRevokePermission",
          "tidemarkpb.Console/Members",
          "tidemarkpb.Console/Children",
          "tidemarkpb.Console/History",
          "grpc.health.v1.Health/Check",
          "grpc.health.v1.Health/Watch");

  private static LoneMember lone;

  @BeforeAll
  static void start(@TempDir Path data) throws Exception {
    lone = LoneMember.start(data);
  }

  @AfterAll
  static void stop() {
    lone.close();
  }

  @Test
  void listsNameWhatThereIs() {
    Set<String> declared =
        BareCalls.SERVICES.stream()
            .map(service -> ((ProtoFileDescriptorSupplier) service.getSchemaDescriptor()))
            .map(supplier -> Objects.requireNonNull(supplier).getFileDescriptor())
            .map(FileDescriptor::getServices)
            .flatMap(Collection::stream)
            .map(ServiceDescriptor::getFullName)
            .collect(Collectors.toSet());
    assertEquals(
        declared,
        BareCalls.SERVICES.stream()
            .map(io.grpc.ServiceDescriptor::getName)
            .collect(Collectors.toSet()));
    Set<String> unknown = new TreeSet<>(BUILT);
    BareCalls.methods().map(MethodDescriptor::getFullMethodName).forEach(unknown::remove);
    assertEquals(Set.of(), unknown);
  }

  @TestFactory
  Stream<DynamicTest> everyMethodIsBuiltOrUnimplemented() {
    return BareCalls.methods()
        .map(
            method ->
                DynamicTest.dynamicTest(
                    method.getFullMethodName(), () -> assertBuiltOrUnimplemented(method)));
  }

  private static void assertBuiltOrUnimplemented(MethodDescriptor<?, ?> method) throws Exception {
    boolean built = BUILT.contains(method.getFullMethodName());
    Status status =
        BareCalls.answerToNothing(lone.channel, method, built ? 1 : 20).get(20, TimeUnit.SECONDS);
    if (built) {
      assertNotEquals(Status.Code.UNIMPLEMENTED, status.getCode());
    } else {
      assertEquals(Status.Code.UNIMPLEMENTED, status.getCode(), status::toString);
      assertTrue(
          String.valueOf(status.getDescription()).contains(method.getFullMethodName()),
          status::toString);
    }
  }
}
