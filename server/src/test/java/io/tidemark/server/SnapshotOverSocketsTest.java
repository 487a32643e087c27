package io.tidemark.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.grpc.Context;
import io.grpc.StatusRuntimeException;
import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.KVGrpc;
import io.tidemark.api.etcdserverpb.MaintenanceGrpc;
import io.tidemark.api.etcdserverpb.PutRequest;
import io.tidemark.api.etcdserverpb.SnapshotRequest;
import io.tidemark.api.etcdserverpb.SnapshotResponse;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class SnapshotOverSocketsTest {
  private static LoneMember lone;
  @TempDir Path directory;

  @BeforeAll
  static void start(@TempDir Path data) throws Exception {
    lone = LoneMember.start(data);
    KVGrpc.KVBlockingStub kv = KVGrpc.newBlockingStub(lone.channel);
    ByteString value = ByteString.copyFrom(new byte[1_000_000]);
    for (int i = 0; i < 12; i++) {
      kv.put(
          PutRequest.newBuilder()
              .setKey(ByteString.copyFromUtf8("key" + i))
              .setValue(value)
              .build());
    }
  }

  @AfterAll
  static void stop() {
    lone.close();
  }

  @Test
  void piecesCountDownToTheDigest() throws Exception {
    List<SnapshotResponse> pieces = new ArrayList<>();
    snapshot().forEachRemaining(pieces::add);
    SnapshotResponse last = pieces.remove(pieces.size() - 1);
    long total = pieces.get(0).getRemainingBytes() + pieces.get(0).getBlob().size();
    long remaining = total;
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    for (SnapshotResponse piece : pieces) {
      remaining -= piece.getBlob().size();
      assertEquals(remaining, piece.getRemainingBytes());
      assertTrue(piece.getBlob().size() <= 32 * 1024);
      assertEquals("3.7.0", piece.getVersion());
      assertFalse(piece.hasHeader());
      digest.update(piece.getBlob().toByteArray());
    }
    assertEquals(0, remaining);
    assertEquals(0, total % 512);
    assertEquals(0, last.getRemainingBytes());
    assertArrayEquals(digest.digest(), last.getBlob().toByteArray());

    Path file = directory.resolve("snapshot");
    try (OutputStream out = Files.newOutputStream(file)) {
      for (SnapshotResponse piece : pieces) {
        piece.getBlob().writeTo(out);
      }
      last.getBlob().writeTo(out);
    }
    SnapshotRestore.FileStatus status = SnapshotRestore.status(file);
    assertEquals(13, status.revision());
    assertEquals(total, status.totalSize());
    assertThrows(
        IllegalArgumentException.class,
        () ->
            SnapshotRestore.restore(
                new SnapshotRestore.Wish(
                    file, List.of("--name=a", "--initial-cluster=b=http://x:1"), true, 0, false)));
  }

  @Test
  void aCallThatIsGivenUpLetsGo() throws Exception {
    try (Context.CancellableContext first = Context.current().withCancellation();
        Context.CancellableContext second = Context.current().withCancellation()) {
      Iterator<SnapshotResponse> one = first.call(SnapshotOverSocketsTest::snapshot);
      Iterator<SnapshotResponse> two = second.call(SnapshotOverSocketsTest::snapshot);
      assertTrue(one.hasNext());
      assertTrue(two.hasNext());
      // Neither can be sent whole while nobody reads, so both still run.
      StatusRuntimeException refused =
          assertThrows(StatusRuntimeException.class, () -> snapshot().hasNext());
      assertEquals(EtcdError.TOO_MANY_REQUESTS.message(), refused.getStatus().getDescription());
      List<Thread> backups = backups();
      assertEquals(2, backups.size());
      first.cancel(null);
      second.cancel(null);
      for (Thread backup : backups) {
        backup.join(30_000);
        assertFalse(backup.isAlive());
      }
    }
    assertTrue(snapshot().hasNext());
  }

  private static Iterator<SnapshotResponse> snapshot() {
    return MaintenanceGrpc.newBlockingStub(lone.channel)
        .snapshot(SnapshotRequest.getDefaultInstance());
  }

  private static List<Thread> backups() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("tidemark-lone-backup"))
        .toList();
  }
}
