package io.tidemark.it.security;

import static io.tidemark.it.security.RpcCases.OK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import io.grpc.netty.NettyChannelBuilder;
import io.tidemark.api.etcdserverpb.AuthGrpc;
import io.tidemark.api.etcdserverpb.AuthStatusRequest;
import io.tidemark.api.etcdserverpb.AuthStatusResponse;
import io.tidemark.api.etcdserverpb.AuthUserChangePasswordRequest;
import io.tidemark.api.etcdserverpb.ClusterGrpc;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.LeaseGrpc;
import io.tidemark.api.etcdserverpb.MaintenanceGrpc;
import io.tidemark.api.etcdserverpb.WatchGrpc;
import io.tidemark.api.healthpb.HealthGrpc;
import io.tidemark.api.tidemarkpb.ConsoleGrpc;
import io.tidemark.api.v3electionpb.ElectionGrpc;
import io.tidemark.api.v3lockpb.LockGrpc;
import io.tidemark.it.security.RightsTable.Tokens;
import io.tidemark.it.security.RpcCases.Case;
import io.tidemark.testkit.TidemarkCluster;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every call to every member, by everybody: with authentication off, and then without a token, with
 * a wrong one, with one that has ended, by a user whose role says something else, by one whose role
 * says just enough, and by root. Whoever logged in did so at some member; his token holds on all.
 */
@Tag("security")
@Timeout(300)
final class EveryRpcRightsTest {
  private static final int MEMBERS = 3;

  @TempDir Path files;

  private final List<ManagedChannel> channels = new ArrayList<>();
  private final ExecutorService callers = Executors.newFixedThreadPool(MEMBERS);

  @AfterEach
  void hangUp() {
    channels.forEach(ManagedChannel::shutdownNow);
    callers.shutdownNow();
  }

  @Test
  void theTablesNameEveryCall() {
    Set<String> missing =
        Stream.of(
                KVGrpc.getServiceDescriptor(),
                WatchGrpc.getServiceDescriptor(),
                LeaseGrpc.getServiceDescriptor(),
                ClusterGrpc.getServiceDescriptor(),
                MaintenanceGrpc.getServiceDescriptor(),
                AuthGrpc.getServiceDescriptor(),
                LockGrpc.getServiceDescriptor(),
                ElectionGrpc.getServiceDescriptor(),
                HealthGrpc.getServiceDescriptor(),
                ConsoleGrpc.getServiceDescriptor())
            .map(ServiceDescriptor::getMethods)
            .flatMap(Collection::stream)
            .map(MethodDescriptor::getFullMethodName)
            .collect(Collectors.toCollection(TreeSet::new));
    RpcCases.all("http://127.0.0.1:1").stream()
        .map(call -> call.method().getFullMethodName())
        .forEach(missing::remove);
    assertEquals(
        Set.of(
            // Each of them has a place of its own in the test.
            "etcdserverpb.Auth/AuthDisable",
            "etcdserverpb.Auth/AuthEnable",
            "etcdserverpb.Auth/Authenticate",
            "etcdserverpb.Lease/LeaseKeepAlive",
            "etcdserverpb.Watch/Watch"),
        missing);
  }

  @Test
  void everyCallByEverybodyWithSimpleTokens() {
    try (TidemarkCluster cluster = start("--auth-token=simple")) {
      List<RightsTable> tables = tables(cluster);
      atOnce(tables, RightsTable::goThroughWithAuthenticationOff);
      enable(tables);
      String ended = login(0, "ended");
      String root = login(0, "root");
      var changed =
          AuthGrpc.newBlockingStub(Everybody.with(channels.get(1), root))
              .userChangePassword(
                  AuthUserChangePasswordRequest.newBuilder()
                      .setName("ended")
                      .setPassword("n")
                      .build());
      withAuthenticationOn(
          tables,
          new Tokens(
              root,
              login(1, "enough"),
              login(2, "other"),
              List.of("nonsense", "x.1", "x.999999999", ended)));
    }
  }

  @Test
  void everyCallByEverybodyWithJsonWebTokens() throws Exception {
    byte[] secret = "a secret of thirty-two characters".getBytes(StandardCharsets.UTF_8);
    Path file = Files.write(files.resolve("secret"), secret);
    try (TidemarkCluster cluster = start("--auth-token=jwt,sign-method=HS256,priv-key=" + file)) {
      List<RightsTable> tables = tables(cluster);
      enable(tables);
      String sound = "{\"username\":\"root\",\"revision\":" + authStatus(0).getAuthRevision();
      byte[] guessed = secret.clone();
      guessed[0]++;
      withAuthenticationOn(
          tables,
          new Tokens(
              login(0, "root"),
              login(1, "enough"),
              login(2, "other"),
              List.of(
                  "nonsense",
                  signed(sound + ",\"exp\":1700000000}", secret),
                  signed(sound + ",\"exp\":32500000000}", guessed))));
    }
  }

  private TidemarkCluster start(String tokens) {
    TidemarkCluster cluster =
        TidemarkCluster.builder()
            .withNodes(MEMBERS)
            .withPrefix("rights")
            .withAdditionalArgs("--bcrypt-cost=4", tokens)
            .start();
    cluster.awaitLeader();
    cluster
        .clientEndpoints()
        .forEach(
            uri ->
                channels.add(
                    NettyChannelBuilder.forAddress(uri.getHost(), uri.getPort())
                        .usePlaintext()
                        .maxInboundMessageSize(Integer.MAX_VALUE)
                        .build()));
    return cluster;
  }

  private List<RightsTable> tables(TidemarkCluster cluster) {
    Everybody.setUp(channels.get(0));
    return cluster.members().stream()
        .map(member -> new RightsTable(member, channels.get(member.index())))
        .toList();
  }

  private static void enable(List<RightsTable> tables) {
    assertEquals(OK, tables.get(0).outcome(RightsTable.ENABLE, ""));
  }

  private void withAuthenticationOn(List<RightsTable> tables, Tokens tokens) {
    for (int i = 0; i < MEMBERS; i++) {
      // Told behind a barrier, so that the member knows afterwards, local reads included.
      assertTrue(authStatus(i).getEnabled());
    }
    atOnce(tables, table -> table.goThrough(tokens));
    assertEquals(OK, tables.get(1).outcome(RightsTable.DISABLE, tokens.root()));
    Case put = KeyCases.all().get(0);
    for (RightsTable table : tables) {
      assertEquals(OK, table.outcome(put, "nonsense"));
    }
  }

  private void atOnce(List<RightsTable> tables, Consumer<RightsTable> action) {
    List<CompletableFuture<Void>> all =
        tables.stream()
            .map(table -> CompletableFuture.runAsync(() -> action.accept(table), callers))
            .toList();
    all.forEach(CompletableFuture::join);
  }

  private String login(int member, String user) {
    return Everybody.login(channels.get(member), user);
  }

  private AuthStatusResponse authStatus(int member) {
    return AuthGrpc.newBlockingStub(channels.get(member))
        .authStatus(AuthStatusRequest.getDefaultInstance());
  }

  private static String signed(String claims, byte[] secret) throws GeneralSecurityException {
    String text = base64("{\"alg\":\"HS256\"}") + "." + base64(claims);
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret, "HmacSHA256"));
    return text
        + "."
        + Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static String base64(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
