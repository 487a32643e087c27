package io.tidemark.raftcore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.IOException;
import java.net.BindException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Texts for administrators, exactly. */
class FaultAdviceTest {
  private static final IOException FULL =
      new IOException("write failed", new IOException("No space left on device"));

  @Test
  void fullDiskOfARunningMember() {
    assertEquals(
        "No space left on device; the disk is full: make room and start the member again; nothing that"
            + " was acknowledged is lost",
        FaultAdvice.of(new RuntimeException("log failed", FULL)));
  }

  @Test
  void brokenDiskOfARunningMember() {
    assertEquals(
        "Input/output error; check the disk and the log of the member: if its files are sound, start it"
            + " again, else remove this member from the cluster and add it again with an empty data"
            + " directory; never start it on an older copy of its files",
        FaultAdvice.of(new RuntimeException("log failed", new IOException("Input/output error"))));
  }

  @Test
  void fullDiskAtTheStart() {
    assertEquals(
        "can't open the store in d: No space left on device; the disk is full: make room and start the"
            + " member again; nothing that was acknowledged is lost",
        FaultAdvice.opening("the store", Path.of("d"), FULL).getMessage());
  }

  @Test
  void whatIsNotAboutContentStaysAsItIs() {
    IOException port = new BindException("Address already in use");
    assertSame(port, FaultAdvice.opening("the log", Path.of("d"), port));
    IOException other =
        new IOException("While lock file: d/LOCK: Resource temporarily unavailable");
    assertSame(other, FaultAdvice.opening("the store", Path.of("d"), other));
  }
}
