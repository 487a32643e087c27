package io.tidemark.ctl;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code snapshot restore FILE}: makes the data directory of one founder of a new cluster. */
@Command(
    name = "restore",
    description = "Make a new cluster's data directory out of a snapshot, of ours or of etcd's.")
final class RestoreCommand implements Callable<Integer> {
  private final Session session;

  @Mixin FounderOptions founder = new FounderOptions();

  @Option(
      names = "--skip-hash-check",
      description = "Take a file without its digest, or a wrong one.")
  boolean skipHashCheck;

  @Parameters(arity = "0..*", paramLabel = "FILE")
  List<String> words = List.of();

  RestoreCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (words.size() != 1) {
      throw CommandFailure.badArguments("snapshot restore requires exactly one argument");
    }
    founder.restore(session, Path.of(words.get(0)), !skipHashCheck);
    return 0;
  }
}
