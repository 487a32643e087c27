package io.tidemark.statemachine.backup;

import static io.tidemark.statemachine.backup.Stores.put;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tidemark.mvcc.MvccStore;
import io.tidemark.statemachine.backup.bbolt.DamagedFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that is cut short or altered is refused, with words and not with a crash. */
class DamagedFileTest {
  @TempDir Path directory;
  private byte[] good = {};

  @BeforeEach
  void writeBackup() throws IOException {
    Path file = directory.resolve("good");
    try (MvccStore store = Stores.open(directory.resolve("store"))) {
      for (int i = 0; i < 300; i++) {
        put(store, "key" + i % 100, "value" + i);
      }
      put(store, "large", "v".repeat(10_000));
      Stores.backup(store, file);
    }
    good = Files.readAllBytes(file);
  }

  @Test
  void everyAlteredByteIsFound() throws IOException {
    Random random = new Random(4);
    for (int i = 0; i < 300; i++) {
      byte[] altered = good.clone();
      altered[random.nextInt(altered.length)] ^= (byte) (1 << random.nextInt(8));
      refused(altered, SnapshotFile.Digest.REQUIRED);
      refused(altered, SnapshotFile.Digest.IF_PRESENT);
    }
  }

  @Test
  void everyLengthButTheRightOneIsRefused() throws IOException {
    for (int length = 0; length < good.length; length += 97) {
      refused(Arrays.copyOf(good, length), SnapshotFile.Digest.REQUIRED);
    }
    for (int length = 512 + 32; length < good.length; length += 512) {
      refused(Arrays.copyOf(good, length), SnapshotFile.Digest.REQUIRED);
      refused(Arrays.copyOf(good, length), SnapshotFile.Digest.IGNORED);
    }
  }

  @Test
  void withoutItsDigest() throws IOException {
    byte[] body = Arrays.copyOf(good, good.length - 32);
    Path file = Files.write(directory.resolve("body"), body);
    DamagedFileException refusal =
        assertThrows(
            DamagedFileException.class,
            () -> SnapshotFile.open(file, SnapshotFile.Digest.REQUIRED));
    assertEquals("snapshot missing hash but --skip-hash-check=false", refusal.getMessage());
    try (SnapshotFile open = SnapshotFile.open(file, SnapshotFile.Digest.IF_PRESENT)) {
      assertEquals(302, open.status().revision());
    }
  }

  /** Without the digest not every change can be seen, but none may do more than be refused. */
  @Test
  void alteredPagesNeverCrashTheReader() throws IOException {
    Random random = new Random(5);
    for (int i = 0; i < 2_000; i++) {
      byte[] altered = good.clone();
      int page = random.nextInt(good.length / 4096) * 4096;
      int at = page + (random.nextBoolean() ? random.nextInt(80) : random.nextInt(4096));
      altered[at] = (byte) random.nextInt(256);
      Path file = Files.write(directory.resolve("altered"), altered);
      try (SnapshotFile open = SnapshotFile.open(file, SnapshotFile.Digest.IGNORED)) {
        open.status();
      } catch (DamagedFileException refused) {
        assertEquals(false, String.valueOf(refused.getMessage()).isBlank());
      }
    }
  }

  @Test
  void somethingElse() throws IOException {
    refused("no snapshot at all".repeat(400).getBytes(), SnapshotFile.Digest.IGNORED);
    refused(new byte[8192], SnapshotFile.Digest.IGNORED);
  }

  @Test
  void oneGoodMetaPageIsEnough() throws IOException {
    for (int meta = 0; meta < 2; meta++) {
      byte[] altered = good.clone();
      altered[meta * 4096 + 20] ^= 1;
      Path file = Files.write(directory.resolve("altered"), altered);
      try (SnapshotFile open = SnapshotFile.open(file, SnapshotFile.Digest.IGNORED)) {
        assertEquals(302, open.status().revision());
      }
    }
    assertArrayEquals(good, Files.readAllBytes(directory.resolve("good")));
  }

  private void refused(byte[] content, SnapshotFile.Digest digest) throws IOException {
    Path file = Files.write(directory.resolve("refused"), content);
    assertThrows(
        DamagedFileException.class,
        () -> {
          try (SnapshotFile open = SnapshotFile.open(file, digest)) {
            open.status();
          }
        },
        "length " + content.length);
  }
}
