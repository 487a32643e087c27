package io.tidemark.ctl;

import io.tidemark.server.SnapshotRestore;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code snapshot}: the group of commands on backups, and {@code snapshot status}. */
@Command(name = "snapshot", description = "Backups: save, status, restore.")
final class SnapshotCommand {
  private SnapshotCommand() {}

  static SnapshotCommand group() {
    return new SnapshotCommand();
  }

  /** A file cannot be used: its own message, or the class when the message is a bare path. */
  static CommandFailure failure(IOException e) {
    String message = e.getMessage();
    return new CommandFailure(
        CommandFailure.ERROR,
        e instanceof FileSystemException || message == null ? e.toString() : message);
  }

  /** Reads a file to its end and says what it holds. */
  @Command(
      name = "status",
      description = "Hash, revision, number of entries and size of a snapshot file.")
  static final class StatusCommand implements Callable<Integer> {
    private final Session session;

    @Parameters(arity = "0..*", paramLabel = "FILE")
    List<String> words = List.of();

    StatusCommand(Session session) {
      this.session = session;
    }

    @Override
    public Integer call() {
      if (words.size() != 1) {
        throw CommandFailure.badArguments("snapshot status requires exactly one argument");
      }
      Printer printer = session.printer();
      try {
        printer.snapshot(SnapshotRestore.status(Path.of(words.get(0))));
      } catch (IOException e) {
        throw failure(e);
      }
      return 0;
    }
  }
}
