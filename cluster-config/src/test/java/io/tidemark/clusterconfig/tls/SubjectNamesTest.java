package io.tidemark.clusterconfig.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import javax.security.auth.x500.X500Principal;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubjectNamesTest {
  /** A principal's text begins with what is encoded last. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      value = {
        "CN=alice | alice",
        "O=acme, CN=alice | alice",
        "CN=alice, O=acme | alice",
        "CN=alice, O=acme, CN=root | alice",
        "CN=root, CN=alice | root",
        "OU=x+CN=alice, O=acme | alice",
        "CN=alice+CN=root | none",
        "CN=\"\", CN=root | none",
        "CN=\"a, CN=root\" | a, CN=root",
        "O=acme | none",
      })
  void theLastCommonNameCounts(String subject, String name) {
    assertEquals(
        Optional.ofNullable(name), SubjectNames.commonName(new X500Principal(subject)), subject);
  }
}
