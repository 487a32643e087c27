package io.tidemark.raftcore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.IOException;
import java.net.BindException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** As RocksDB and Ratis say it; a block is no lock. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Corruption: block checksum mismatch: stored = 1, computed = 2 in 000012.sst offset 0 size 9",
        "Corruption: Corrupted compressed block contents",
        "log entry corrupted: CHECKSUM MISMATCH"
      })
  void damagedContentGetsAdvice(String reason) {
    assertEquals(
        "the store in d is damaged or not whole: "
            + reason
            + "; nothing was changed. If files were lost or altered by accident, put the very same"
            + " files back; else remove this member from the cluster and add it again with an empty"
            + " data directory; never start it on an older copy of its files",
        FaultAdvice.opening("the store", Path.of("d"), new IOException(reason)).getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lock hold by current process, acquire time 1 acquiring thread 2: d/LOCK: No locks available",
        "The directory is already locked: d",
        "Failed to lock storage d"
      })
  void filesOfAnotherProcessAreNotCalledDamaged(String reason) {
    IOException held = new IOException(reason);
    assertSame(held, FaultAdvice.opening("the store", Path.of("d"), held));
  }
}
