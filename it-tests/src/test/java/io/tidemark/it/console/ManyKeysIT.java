package io.tidemark.it.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.it.browser.Browser;
import io.tidemark.it.browser.Page;
import io.tidemark.it.process.Product;
import io.tidemark.it.rig.ClusterPlan;
import io.tidemark.it.rig.ProcessCluster;
import io.tidemark.it.support.Clusters;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The tree of keys answers at once, however many there are. */
class ManyKeysIT {
  /** From a click to what it leads to, in milliseconds. */
  private static final double ANSWER_MAX = 1_500;

  /** The longest stretch in which the page can't react to anything, in milliseconds. */
  private static final double STUCK_MAX = 400;

  @RegisterExtension final Clusters clusters = Clusters.perTest();
  @TempDir Path directory;

  @BeforeEach
  void assume() {
    assumeTrue(Product.underTest() == Product.TIDEMARK, "ours only");
    assumeTrue(Browser.isInstalled(), "no Chromium on this machine");
  }

  @Test
  @Tag("console")
  void twentyThousandKeys() {
    browse(20_000);
  }

  @Test
  @Tag("long")
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  void aMillionKeys() {
    browse(1_000_000);
  }

  private void browse(int keys) {
    ProcessCluster cluster = clusters.start(ClusterPlan.of(3));
    new Demo(cluster.client(0)).many("/many/", keys);
    long half = cluster.client(0).status().answer().getHeader().getRevision() / 2;
    Browser browser = clusters.closing(Browser.start(directory));
    Page page = browser.open(1360, 860);
    page.load(cluster.member(1).spec().clientUrl() + "/console/#/members");
    page.awaitText("#pulse", "3 of 3 answer");
    var unused =
        page.value(
            "window.stuck = 0; new PerformanceObserver(list => list.getEntries().forEach("
                + "e => { window.stuck = Math.max(window.stuck, e.duration); }))"
                + ".observe({ entryTypes: ['longtask'] })");
    Map<String, Double> took = new TreeMap<>();
    took.put("1 open the view", page.millis("location.hash = '#/keys'", rows(1) + " >= 1"));
    took.put("2 open the first folder", page.millis(click(1, 0), rows(2) + " >= 1"));
    took.put("3 nine folders below", page.millis(click(2, 0), rows(3) + " === 9"));
    took.put("4 a page of keys", page.millis(click(3, 0), rows(4) + " === 201"));
    took.put(
        "5 another page",
        page.millis("document.querySelector('.tree .grows').click()", rows(4) + " === 401"));
    took.put(
        "6 back to half of the revisions",
        page.millis(
            "const s = document.querySelector('.groove input'); s.value = '"
                + half
                + "'; const was = document.querySelector('.tree > div'); "
                + "s.dispatchEvent(new Event('input'))",
            "document.querySelector('.timeline.past') && was !== document.querySelector('.tree >"
                + " div')"));
    page.awaitText(".timeline .says", "The keys as of revision");
    took.put(
        "7 a key with its history",
        page.millis(
            "document.querySelector('.tree [aria-level=\"4\"]').click()",
            "document.querySelector('.headline h2') && document.querySelector('.versions"
                + " button')"));
    took.put(
        "8 far away by its prefix",
        page.millis(
            "const f = document.querySelector('.prefix'); f.value = '/many/search/search-0'; "
                + "f.form.requestSubmit()",
            rows(1)
                + " > 9 && document.querySelector('.tree [aria-level=\"1\"] .bytes').textContent"
                + ".length === 5"));
    double stuck = page.value("window.stuck").getAsDouble();
    System.out.println(keys + " keys: " + took + ", stuck for " + stuck + " ms at most");
    assertTrue(took.values().stream().allMatch(millis -> millis <= ANSWER_MAX), took::toString);
    assertTrue(stuck <= STUCK_MAX, () -> "stuck for " + stuck + " ms");
    assertEquals(List.of(), page.complaints());
    page.close();
  }

  private static String rows(int level) {
    return "document.querySelectorAll('.tree [aria-level=\"" + level + "\"]').length";
  }

  private static String click(int level, int row) {
    return "document.querySelectorAll('.tree [aria-level=\"" + level + "\"]')[" + row + "].click()";
  }
}
