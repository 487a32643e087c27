package io.tidemark.server.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import io.tidemark.api.etcdserverpb.AuthGrpc;
import io.tidemark.api.etcdserverpb.ClusterGrpc;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.LeaseGrpc;
import io.tidemark.api.etcdserverpb.MaintenanceGrpc;
import io.tidemark.api.etcdserverpb.WatchGrpc;
import io.tidemark.api.tidemarkpb.ConsoleGrpc;
import io.tidemark.api.v3electionpb.ElectionGrpc;
import io.tidemark.api.v3lockpb.LockGrpc;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RoutesTest {
  private final Routes routes = Routes.ofEtcd();

  /** All of etcd's methods but the one that it does not offer as JSON either. */
  @Test
  void everyMethodHasAPath() {
    Set<String> expected =
        Stream.of(
                KVGrpc.getServiceDescriptor(),
                WatchGrpc.getServiceDescriptor(),
                LeaseGrpc.getServiceDescriptor(),
                ClusterGrpc.getServiceDescriptor(),
                MaintenanceGrpc.getServiceDescriptor(),
                AuthGrpc.getServiceDescriptor(),
                LockGrpc.getServiceDescriptor(),
                ElectionGrpc.getServiceDescriptor())
            .map(ServiceDescriptor::getMethods)
            .flatMap(methods -> methods.stream().map(MethodDescriptor::getFullMethodName))
            .collect(Collectors.toCollection(TreeSet::new));
    expected.remove(KVGrpc.getRangeStreamMethod().getFullMethodName());
    Set<String> routed =
        routes.all().values().stream()
            .map(Route::method)
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(expected, routed);
  }

  @Test
  void everyMethodOfTheConsoleHasAPathOfItsOwn() {
    Set<String> expected = new TreeSet<>();
    ConsoleGrpc.getServiceDescriptor()
        .getMethods()
        .forEach(method -> expected.add(method.getFullMethodName()));
    Set<String> routed = new TreeSet<>();
    Routes.ofConsole().all().values().forEach(route -> routed.add(route.method()));
    assertEquals(expected, routed);
  }

  /** Three calls about leases can be reached under the path of an older release too. */
  @Test
  void onlyLeasesHaveTwoPaths() {
    Set<String> second =
        routes.all().keySet().stream()
            .filter(path -> path.startsWith("kv/lease/"))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(Set.of("kv/lease/leases", "kv/lease/revoke", "kv/lease/timetolive"), second);
    long methods = routes.all().values().stream().map(Route::method).distinct().count();
    assertEquals(routes.all().size(), methods + second.size());
  }
}
