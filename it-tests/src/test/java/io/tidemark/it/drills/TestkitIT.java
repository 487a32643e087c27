package io.tidemark.it.drills;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.it.process.Command;
import io.tidemark.it.process.Command.Ended;
import io.tidemark.it.process.Product;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The test kit as a stranger's project gets it: out of a repository. */
@Tag("long")
@Timeout(900)
class TestkitIT {
  private static final Duration LIMIT = Duration.ofMinutes(10);

  @Test
  void aProjectOutsideTestsAClientWithIt() {
    Ended ended = Command.of(Product.script("try-testkit").toString()).run(LIMIT);
    assertEquals(0, ended.code(), ended::all);
    assertEquals("5 examples passed", ended.out().strip(), ended::all);
  }
}
