package io.tidemark.it.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonPrimitive;
import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.AlarmRequest;
import io.tidemark.api.etcdserverpb.AlarmType;
import io.tidemark.api.etcdserverpb.MaintenanceGrpc;
import io.tidemark.it.browser.Browser;
import io.tidemark.it.browser.Page;
import io.tidemark.it.process.Product;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.support.Clusters;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Every view of the console, on a live cluster that changes its leader in the middle. */
@Tag("console")
class ConsoleIT {
  /** Where pictures go; {@code -Dconsole.images=docs/images} renews those of the documents. */
  private static final Path PICTURES =
      Product.checkout().resolve(System.getProperty("console.images", "it-tests/target/console"));

  private static final String ROW = ".tree [role=treeitem]";

  @RegisterExtension static final Clusters CLUSTERS = Clusters.perClass();
  @TempDir static Path directory;

  private static ProcessCluster cluster;
  private static Browser browser;
  private static Demo demo;

  private Page page;
  private int self;

  @BeforeAll
  static void start() {
    assumeTrue(Product.underTest() == Product.TIDEMARK, "ours only");
    assumeTrue(Browser.isInstalled(), "no Chromium on this machine");
    cluster = CLUSTERS.start(ClusterPlan.of(3));
    browser = CLUSTERS.closing(Browser.start(directory));
    demo = new Demo(cluster.client(0));
    demo.fill();
  }

  /** A page of a member that doesn't lead. */
  @BeforeEach
  void open() {
    self = cluster.otherThan(cluster.awaitLeader());
    page = browser.open(1360, 860);
    page.prefer("light");
    visit("/members");
    page.awaitText("#pulse", "3 of 3 answer");
  }

  @AfterEach
  void nothingWentWrongInside() {
    var unused = page.value("localStorage.clear()");
    assertEquals(List.of(), page.complaints());
    page.close();
  }

  private void visit(String route) {
    page.load("about:blank");
    page.load(cluster.member(self).spec().clientUrl() + "/console/#" + route);
  }

  private void picture(String name) {
    page.resize(1360, 860, 1.25);
    page.picture(PICTURES.resolve(name + ".png"));
    page.resize(1360, 860, 1);
  }

  private void chooseKey(String key) {
    String coded =
        Base64.getEncoder()
            .encodeToString(key.getBytes(StandardCharsets.UTF_8))
            .replace("=", "%3D");
    var unused = page.value("location.hash = '#/keys?key=" + coded.replace("+", "%2B") + "'");
  }

  @Test
  void everyViewThroughAChangeOfLeader() {
    int leader = cluster.awaitLeader();
    page.awaitTexts(".card h2", "m0", "m1", "m2");
    page.awaitTexts(".card.leads h2", "m" + leader);
    page.awaitText("#where", "m" + self);

    keys();
    feedBegins();
    leases();
    alarms();
    watchers();
    rates();

    page.press("1");
    cluster.kill(leader);
    page.awaitText(".card.silent h2", "m" + leader);
    int next = cluster.awaitLeader(cluster.allBut(leader));
    page.awaitTexts(".card.leads h2", "m" + next);
    page.awaitText(".events", "m" + next + " leads");
    page.awaitText(".events", "m" + leader + " does not answer");
    picture("members");

    page.press("4");
    feedGoesOn(next);

    cluster.restart(leader);
    page.press("1");
    page.awaitText(".events", "m" + leader + " answers again");
    page.awaitText("#pulse", "3 of 3 answer");
  }

  private void keys() {
    page.press("3");
    page.awaitText(ROW, "▸\n/\n928");
    page.press("k");
    page.press("ArrowDown");
    page.press("ArrowRight");
    page.awaitTexts(
        ROW + "[aria-level='2']", "▸\nconfig/\n10", "▸\nregistry/\n900", "▸\nservices/\n18");
    chooseKey(Demo.FLAGS);
    page.awaitTexts(".headline h2", Demo.FLAGS);
    page.awaitText(".json", "\"budget\": 12345678901234567890");
    page.awaitTexts(
        ".versions button span:first-of-type", "changed", "changed", "changed", "created");
    page.awaitTexts(
        ".diff .come",
        "+\n\"timeoutMs\": 380,",
        "+\n\"owner\": \"payments\",",
        "+\n\"regions\": [",
        "+\n\"ams\",",
        "+\n\"fra\"",
        "+\n],",
        "+\n\"budget\": 12345678901234567890");
    picture("keys");
    page.press("x");
    page.awaitText("pre.code", "000000  7b 22 72 65");
    page.press("t");
    page.awaitText("pre.code", "{\"retries\":5,\"timeoutMs\":380");
    page.press("j");
    past();
  }

  /** Two versions back; a folder that came later isn't there any more. */
  private void past() {
    page.press(",");
    page.awaitText(".says", "The keys as of revision");
    page.awaitText(".json", "\"timeoutMs\": 400");
    page.press(",");
    page.awaitText(".json", "\"timeoutMs\": 250");
    page.awaitTexts(".diff .gone", "-\n\"retries\": 3,");
    page.awaitTexts(".diff .come", "+\n\"retries\": 5,");
    page.awaitTexts(ROW + "[aria-level='2']", "▾\nconfig/\n9", "▸\nregistry/\n900");
    picture("history");
    page.press("n");
    page.awaitTexts(".timeline .says", "The keys as they are now");
    page.awaitText(".json", "\"timeoutMs\": 380");
  }

  private void feedBegins() {
    page.press("4");
    page.awaitText(".says", "Watching: 0 changes.");
    watchOnly("/live/");
    demo.put("/live/a", "one");
    demo.put("/live/a", "two");
    var deleted = cluster.client(0).delete("/live/a").answer();
    page.awaitTexts(".feed .pill", "delete", "change", "create");
    page.awaitTexts(".feed td.key", "/live/a", "/live/a", "/live/a");
    page.awaitTexts(".feed td.text", "two", "two", "one");
    picture("watch");
  }

  private void watchOnly(String prefix) {
    page.press("/");
    page.type(prefix);
    page.press("Enter"); // stops what it watches
    page.awaitText(".says", "Stopped.");
    page.press("Enter");
    page.awaitText(".says", "Watching: 0 changes.");
    page.press("Escape"); // leaves the field
  }

  private void feedGoesOn(int through) {
    long revision =
        cluster.client(through).put("/live/b", "after").answer().getHeader().getRevision();
    page.awaitText(".feed td.key", "/live/b");
    assertTrue(
        page.texts(".feed td.number").get(0).replace(",", "").equals("" + revision),
        () -> "newest first: " + page.texts(".feed td.number"));
    assertEquals(4, page.texts(".feed td.key").size(), "nothing twice, nothing lost");
  }

  private void leases() {
    page.press("6");
    page.awaitText("main .under", "9 in all.");
    page.await("time to live", "document.querySelectorAll('.leases .gauge').length === 9");
    page.awaitText(".leases td", "/services/cart/nrt");
    picture("leases");
  }

  private void alarms() {
    page.press("7");
    page.awaitText("main .empty", "No alarms");
    var maintenance = MaintenanceGrpc.newBlockingStub(cluster.client(0).channel());
    AlarmRequest raise =
        AlarmRequest.newBuilder()
            .setAction(AlarmRequest.AlarmAction.ACTIVATE)
            .setMemberID(cluster.client(1).status().answer().getHeader().getMemberId())
            .setAlarm(AlarmType.NOSPACE)
            .build();
    var raised = maintenance.alarm(raise);
    page.awaitTexts(".alarm h2", "NOSPACE");
    page.awaitTexts(".alarm .pill", "m1");
    picture("alarms");
    var disarmed =
        maintenance.alarm(raise.toBuilder().setAction(AlarmRequest.AlarmAction.DEACTIVATE).build());
    page.awaitText("main .empty", "No alarms");
  }

  /** A client that doesn't read is named, with what it watches. */
  private void watchers() {
    page.press("5");
    page.awaitText("main .empty", "Nobody is behind");
    try (StuckWatcher stuck = StuckWatcher.open(cluster.member(0).spec().clientUrl(), "/big/")) {
      String value = "x".repeat(500_000);
      for (int i = 0; i < 60; i++) {
        demo.put("/big/" + i % 3, value);
      }
      page.awaitTexts(".slowest td:nth-child(2)", "victim");
      page.awaitTexts(".slowest td.key", "/big/*");
      page.awaitTexts(".slowest td:nth-child(4)", stuck.address());
      page.awaitTexts("[data-member=m0] [data-state=victims]", "1");
      picture("watchers");
    }
    page.awaitText("main .empty", "Nobody is behind");
  }

  private void rates() {
    page.press("2");
    page.awaitText(".plot h2", "A linearizable read from this page");
    page.await("a few samples", "document.querySelectorAll('.plot .line').length >= 6");
    page.awaitText(".plot:nth-child(1) .legend", "revisions");
    for (int i = 0; i < 40; i++) {
      demo.put("/rates/" + i % 8, "value " + i);
    }
    page.press("d");
    assertEquals(new JsonPrimitive("dark"), page.value("document.documentElement.dataset.theme"));
    picture("rates");
    page.press("d");
    page.press("?");
    page.awaitText("dialog h2", "Keyboard");
    picture("keyboard");
    page.press("Escape");
    page.await("the list is closed", "!document.querySelector('dialog').open");
  }

  /** Keys and values that would like to be something else than text. */
  @Test
  void hostileKeysAndValuesStayText() {
    String script = "<script>window.pwned = 1</script>";
    String image = "<img src=x onerror='window.pwned = 2'>";
    demo.put("evil\"'`/" + script.replace("/", "|"), image + "\n" + script);
    demo.put("evil\u202Egnp.exe", "{\"</pre>" + image.replace("'", "") + "\": \"\u202E\0\"}");
    demo.putBytes(
        ByteString.copyFrom(new byte[] {'e', 'v', 'i', 'l', (byte) 0xff, (byte) 0xc0, '/', 0, 'z'}),
        ByteString.copyFrom(new byte[] {(byte) 0xff, (byte) 0xfe, 'm', 'z'}));
    page.press("3");
    page.press("/");
    page.type("evil");
    page.press("Enter");
    page.press("Escape");
    page.awaitTexts(ROW + "[aria-level='1'] .bytes", "\"'`/", "\\u{202e}gnp.exe", "\\xff\\xc0/");
    chooseKey("evil\"'`/" + script.replace("/", "|"));
    page.awaitTexts(".headline h2", "evil\"'`/" + script.replace("/", "|"));
    page.awaitTexts("pre.code", image + "\n" + script);
    page.awaitTexts(".diff .come", "+\n" + image, "+\n" + script);
    picture("hostile");
    chooseKey("evil\u202Egnp.exe");
    page.awaitTexts(".headline h2", "evil\\u{202e}gnp.exe");
    page.press("t");
    page.awaitTexts("pre.code", "{\"</pre>" + image.replace("'", "") + "\": \"\\u{202e}\\x00\"}");
    page.press("4");
    page.awaitText(".says", "Watching: 0 changes.");
    watchOnly("evil");
    demo.put("evil\"'`/" + script.replace("/", "|"), image);
    page.awaitTexts(".feed td.text", image);
    assertEquals(new JsonPrimitive("undefined"), page.value("typeof window.pwned"));
    assertEquals(
        0, page.value("document.querySelectorAll('main img, main script').length").getAsInt());
  }

  /** The page has a shape on a telephone, and follows what the system says about colours. */
  @Test
  void narrowAndDark() {
    page.prefer("dark");
    assertEquals(
        new JsonPrimitive("rgb(13, 20, 19)"),
        page.value("getComputedStyle(document.documentElement).backgroundColor"));
    for (String view : List.of("members", "rates", "keys", "watchers", "leases", "alarms")) {
      page.resize(400, 800, 1);
      var unused = page.value("location.hash = '#/" + view + "'");
      page.awaitText("main h1", view.substring(0, 1).toUpperCase(Locale.ROOT));
      assertTrue(
          page.value("document.documentElement.scrollWidth").getAsInt() <= 400, view + " is wide");
    }
  }
}
