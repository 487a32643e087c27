package io.tidemark.it.rig;

import io.tidemark.it.process.Command;
import io.tidemark.it.process.MemberSpec;
import io.tidemark.it.process.Product;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** Data directories out of snapshot files, made by the product's own command. Blocks. */
final class Restored {
  private static final Duration LIMIT = Duration.ofMinutes(1);

  private Restored() {}

  static void dataDirectory(Product product, MemberSpec spec, Path snapshot) {
    String program =
        product == Product.TIDEMARK ? Product.script("tidemarkctl").toString() : "etcdctl";
    Command.Ended ended =
        Command.of(program, "snapshot", "restore", snapshot.toString())
            .with(spec.founderFlags().toArray(String[]::new))
            .env(Map.of("ETCDCTL_API", "3"))
            .run(LIMIT);
    if (ended.code() != 0) {
      throw new AssertionError("can't restore " + spec.name() + "\n" + ended.all());
    }
  }
}
