package io.tidemark.it.verdict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.it.chaosrun.Verdict;
import io.tidemark.it.report.HtmlReport;
import io.tidemark.it.report.JsonResult;
import io.tidemark.judge.Violation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A recording is the same after it was a file, and so is its judgement; reports show what is wrong.
 */
class RecordingFileTest {
  @TempDir Path directory;

  @Test
  void whatIsReadIsWhatWasWritten() throws IOException {
    Path file = directory.resolve("history.jsonl.gz");
    RecordingFile.write(file, SmallRecording.GOOD);
    assertEquals(SmallRecording.GOOD, RecordingFile.read(file));
  }

  @Test
  void nothingIsWrongWithTheGoodOne() {
    assertEquals(List.of(), Judges.check(SmallRecording.GOOD));
    assertEquals(List.of(), Judges.check(SmallRecording.COMPACTED));
    assertEquals(List.of(), Judges.check(SmallRecording.COMPACTED_FIRST));
  }

  @Test
  void whatIsWrongIsFoundInTheFileToo() throws IOException {
    Path file = directory.resolve("history.jsonl.gz");
    for (SmallRecording.Bad bad : SmallRecording.BAD) {
      RecordingFile.write(file, bad.recording());
      assertEquals(bad.kind(), Judges.check(RecordingFile.read(file)).get(0).kind(), bad.name());
    }
  }

  @Test
  void anythingElseIsNoRecording() throws IOException {
    Path file = directory.resolve("other");
    Files.writeString(file, "{}");
    assertThrows(IOException.class, () -> RecordingFile.read(file));
  }

  @Test
  void reportsNameTheViolationWithTheLinesAroundIt() {
    SmallRecording.Bad bad = SmallRecording.BAD.get(0);
    List<Violation> violations = Judges.check(bad.recording());
    Verdict verdict = Verdict.of(bad.recording(), violations);
    String page = HtmlReport.of(bad.recording(), violations, verdict.line());
    assertTrue(page.contains("<h3 class='failed'>" + bad.kind() + "</h3>"), page);
    assertTrue(page.contains("class='violation'"), page);
    assertTrue(page.contains("m0 tells of PUT"), page);
    assertEquals(-1, page.indexOf("http-equiv"));
    String json = JsonResult.of(bad.recording(), violations, verdict.passed(), verdict);
    assertTrue(json.contains("\"passed\": false"), json);
    assertTrue(json.contains("\"kind\": \"" + bad.kind() + "\""), json);
  }

  @Test
  void verdictCountsEverything() {
    Verdict verdict = Verdict.of(SmallRecording.GOOD, List.of());
    assertEquals(
        "PASSED: seed 7: 1 faults took effect, 0 did nothing, 0 not recovered in time; 5 operations"
            + " (3 acknowledged changes, 1 unknown), 1 watch streams, 1 lock holds, 1 leases,"
            + " revision 8; 0 violations",
        verdict.line());
  }
}
