package io.tidemark.ctl;

import io.tidemark.api.etcdserverpb.MaintenanceGrpc;
import io.tidemark.api.etcdserverpb.SnapshotRequest;
import io.tidemark.api.etcdserverpb.SnapshotResponse;
import io.tidemark.server.SnapshotRestore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * {@code snapshot save FILE}: receives a backup into {@code FILE.part}, makes sure that it is
 * whole, and gives it its name.
 */
@Command(name = "save", description = "Save a backup of one member to a file.")
final class SnapshotSave implements Callable<Integer> {
  private final Session session;

  @Parameters(arity = "0..*", paramLabel = "FILE")
  List<String> words = List.of();

  SnapshotSave(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (words.size() != 1) {
      throw CommandFailure.badArguments("snapshot save expects one argument");
    }
    List<Endpoint> endpoints = session.endpoints();
    if (endpoints.size() != 1) {
      throw CommandFailure.badArguments(
          "snapshot must be requested to one selected node, not multiple " + endpoints);
    }
    Path file = Path.of(words.get(0)).toAbsolutePath();
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try {
      receive(part);
      SnapshotRestore.verify(part);
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw SnapshotCommand.failure(e);
    }
    session.out().print("Snapshot saved at " + words.get(0) + "\n");
    return 0;
  }

  /** Without a time-out: a backup takes as long as it takes. */
  private void receive(Path part) throws IOException {
    Files.deleteIfExists(part);
    try (Connection connection = session.connect();
        FileChannel out =
            FileChannel.open(
                part,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(
                    PosixFilePermissions.fromString("rw-------")))) {
      ProgressBar bar = ProgressBar.on(session.err());
      Iterator<SnapshotResponse> pieces =
          MaintenanceGrpc.newBlockingStub(connection.channel())
              .snapshot(SnapshotRequest.getDefaultInstance());
      while (pieces.hasNext()) {
        SnapshotResponse piece = pieces.next();
        ByteBuffer blob = piece.getBlob().asReadOnlyByteBuffer();
        bar.advance(blob.remaining(), piece.getRemainingBytes());
        while (blob.hasRemaining()) {
          out.write(blob);
        }
      }
      bar.end();
      out.force(true);
    }
  }
}
