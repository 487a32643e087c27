package io.tidemark.ctl;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * {@code import PATH}: as {@code snapshot restore}, from the data of an etcd member that has been
 * stopped. Such a file has no digest, and holds what that member had written when it stopped.
 */
@Command(
    name = "import",
    description = "Make a new cluster's data directory out of a stopped etcd member's.")
final class ImportCommand implements Callable<Integer> {
  private static final Path IN_DATA_DIR = Path.of("member", "snap", "db");

  private final Session session;

  @Mixin FounderOptions founder = new FounderOptions();

  @Parameters(arity = "0..*", paramLabel = "PATH", description = "Its data directory or db file.")
  List<String> words = List.of();

  ImportCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (words.size() != 1) {
      throw CommandFailure.badArguments("import requires exactly one argument");
    }
    Path path = Path.of(words.get(0));
    founder.restore(session, Files.isDirectory(path) ? path.resolve(IN_DATA_DIR) : path, false);
    return 0;
  }
}
