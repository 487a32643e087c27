package io.tidemark.it.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.ByteString;
import io.tidemark.api.authpb.Permission;
import io.tidemark.api.etcdserverpb.AuthEnableRequest;
import io.tidemark.api.etcdserverpb.AuthGrpc;
import io.tidemark.api.etcdserverpb.AuthRoleAddRequest;
import io.tidemark.api.etcdserverpb.AuthRoleGrantPermissionRequest;
import io.tidemark.api.etcdserverpb.AuthUserAddRequest;
import io.tidemark.api.etcdserverpb.AuthUserGrantRoleRequest;
import io.tidemark.it.browser.Browser;
import io.tidemark.it.browser.Page;
import io.tidemark.it.client.MemberClient;
import io.tidemark.it.process.MemberSpec;
import io.tidemark.it.process.Ports;
import io.tidemark.it.process.Product;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.support.Clusters;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The console of a cluster with users, over TLS, shows what the user's roles allow. */
@Tag("console")
class LoginIT {
  @RegisterExtension final Clusters clusters = Clusters.perTest();
  @TempDir Path directory;

  @Test
  void everybodySeesWhatTheirRolesAllow() {
    assumeTrue(Product.underTest() == Product.TIDEMARK, "ours only");
    assumeTrue(Browser.isInstalled(), "no Chromium on this machine");
    ProcessCluster cluster = clusters.start(ClusterPlan.of(1));
    String secured = listenOverTls(cluster);
    MemberClient client = cluster.client(0);
    var open = client.put("/open/a", "yes").answer();
    var secret = client.put("/secret/b", "no").answer();
    users(client.auth());
    Page page = clusters.closing(Browser.start(directory)).open(1200, 800);
    page.load(secured + "/console/#/members");
    assertEquals(
        "h2",
        page.value("performance.getEntriesByType('navigation')[0].nextHopProtocol").getAsString());

    page.awaitText("h1", "Who is there?");
    login(page, "reader", "wrong");
    page.awaitTexts(".problem", "etcdserver: authentication failed, invalid user ID or password");
    login(page, "reader", "reader");
    page.awaitTexts(".card h2", "m0");
    page.press("3");
    page.awaitTexts(".toast", "etcdserver: permission denied");
    page.press("/");
    page.type("/open/");
    page.press("Enter");
    page.awaitTexts(".tree .bytes", "a");
    page.press("Escape");
    page.press("7");
    page.awaitText("main .empty", "No alarms");

    page.click("#tools button"); // the first one logs out
    page.awaitText("h1", "Who is there?");
    login(page, "root", "root");
    page.awaitText("main .empty", "No alarms"); // where the other one was
    page.press("3");
    page.awaitTexts(".tree .folder .bytes", "/");
    assertEquals(List.of(), page.complaints());
    page.close();
  }

  /** The only member listens over TLS too, with a certificate that it makes itself. */
  private static String listenOverTls(ProcessCluster cluster) {
    String secured = "https://127.0.0.1:" + Ports.free();
    MemberSpec spec = cluster.member(0).spec();
    List<String> flags = new ArrayList<>(spec.flags());
    flags.add("--listen-client-urls=" + spec.clientUrl() + "," + secured);
    flags.add("--auto-tls");
    cluster.kill(0);
    cluster.member(0).respec(spec.among(spec.initialCluster(), flags));
    cluster.restart(0);
    return secured;
  }

  private static void users(AuthGrpc.AuthBlockingStub auth) {
    for (String user : List.of("root", "reader")) {
      var added =
          auth.userAdd(AuthUserAddRequest.newBuilder().setName(user).setPassword(user).build());
      String role = user.equals("root") ? "root" : "openers";
      if (!role.equals("root")) {
        var made = auth.roleAdd(AuthRoleAddRequest.newBuilder().setName(role).build());
        var allowed =
            auth.roleGrantPermission(
                AuthRoleGrantPermissionRequest.newBuilder()
                    .setName(role)
                    .setPerm(
                        Permission.newBuilder()
                            .setPermType(Permission.Type.READ)
                            .setKey(ByteString.copyFromUtf8("/open/"))
                            .setRangeEnd(ByteString.copyFromUtf8("/open0")))
                    .build());
      }
      var granted =
          auth.userGrantRole(
              AuthUserGrantRoleRequest.newBuilder().setUser(user).setRole(role).build());
    }
    var enabled = auth.authEnable(AuthEnableRequest.getDefaultInstance());
  }

  private static void login(Page page, String user, String password) {
    page.await("the form", "document.querySelector('.login')");
    var filled =
        page.value(
            "(() => { const f = document.querySelector('.login'); f.user.value = '"
                + user
                + "'; f.password.value = '"
                + password
                + "'; f.requestSubmit(); })()");
  }
}
