package io.tidemark.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tidemark.mvcc.RevisionBatch;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RevisionRingTest {
  private static RevisionBatch batch(long revision, long bytes) {
    return new RevisionBatch(revision, List.of(), bytes);
  }

  @Test
  void keepsTheNewestWithinBothBounds() {
    RevisionRing ring = new RevisionRing(100, 5, 10);
    for (long revision = 11; revision <= 30; revision++) {
      ring.append(batch(revision, 10));
    }
    assertEquals(30, ring.newest());
    assertEquals(5, ring.revisions());
    assertEquals(50, ring.bytes());
    assertNull(ring.get(25));
    assertNotNull(ring.get(26));
    assertNull(ring.get(31));
    ring.append(batch(31, 75));
    assertEquals(3, ring.revisions());
    assertEquals(95, ring.bytes());
    assertNull(ring.get(28));
  }

  @Test
  void keepsTheNewestEvenWhenItIsTooLarge() {
    RevisionRing ring = new RevisionRing(100, 5, 1);
    ring.append(batch(2, 10));
    ring.append(batch(3, 1_000));
    assertNull(ring.get(2));
    assertNotNull(ring.get(3));
    ring.append(batch(4, 10));
    assertNull(ring.get(3));
    assertEquals(10, ring.bytes());
  }

  @Test
  void aResetForgetsEverythingAndGoesOnAfterTheNewRevision() {
    RevisionRing ring = new RevisionRing(100, 5, 1);
    ring.append(batch(2, 10));
    ring.reset(40);
    assertNull(ring.get(2));
    assertEquals(0, ring.revisions());
    assertEquals(0, ring.bytes());
    ring.append(batch(41, 10));
    assertEquals(1, ring.revisions());
  }

  @Test
  void objectsToAGap() {
    RevisionRing ring = new RevisionRing(100, 5, 1);
    assertThrows(IllegalStateException.class, () -> ring.append(batch(3, 1)));
    ring.append(batch(2, 1));
    assertThrows(IllegalStateException.class, () -> ring.append(batch(2, 1)));
  }
}
