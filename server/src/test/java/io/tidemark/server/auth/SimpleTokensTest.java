package io.tidemark.server.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.api.errors.EtcdError;
import io.tidemark.server.access.Identity;
import io.tidemark.statemachine.auth.Authority;
import io.tidemark.statemachine.auth.Caller;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class SimpleTokensTest {
  private static final Identity INVALID = Identity.refused(EtcdError.INVALID_AUTH_TOKEN);
  private static final Identity ANN = Identity.of(new Caller("ann", 1));

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5_000_000_000L);
  private final AtomicLong applied = new AtomicLong(7);
  private final SimpleTokens tokens =
      new SimpleTokens(Duration.ofSeconds(300), nanos::get, applied::get);

  private Identity of(String token) {
    return tokens.of(token, new Authority().state());
  }

  private void pass(long seconds) {
    nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
  }

  @Test
  void aTokenStandsForItsUserAtTheRevisionOfTheMoment() {
    tokens.issued("abc.7", "ann");
    assertEquals(ANN, of("abc.7"));
    assertEquals(INVALID, of("abc.8"));
    assertEquals(INVALID, of("abc"));
    assertEquals(INVALID, of(""));
  }

  @Test
  void useKeepsATokenAlive() {
    tokens.issued("abc.7", "ann");
    for (int i = 0; i < 5; i++) {
      pass(299);
      assertEquals(ANN, of("abc.7"));
    }
    pass(300);
    assertEquals(INVALID, of("abc.7"));
    pass(-300);
    assertEquals(INVALID, of("abc.7"), "gone for good");
  }

  @Test
  void tokensOfAUserAreDroppedTogether() {
    tokens.issued("a.1", "ann");
    tokens.issued("b.2", "ann");
    tokens.issued("c.3", "bob");
    tokens.dropped("ann");
    assertEquals(INVALID, of("a.1"));
    assertEquals(INVALID, of("b.2"));
    assertEquals(Identity.of(new Caller("bob", 1)), of("c.3"));
    tokens.droppedAll();
    assertEquals(INVALID, of("c.3"));
  }

  @Test
  void onlyAnUnknownTokenOfALaterEntryIsAhead() {
    tokens.issued("a.9", "ann");
    assertFalse(tokens.isAhead("a.9"));
    assertTrue(tokens.isAhead("b.9"));
    assertFalse(tokens.isAhead("b.7"));
    assertFalse(tokens.isAhead("b"));
    assertFalse(tokens.isAhead("b.x"));
    assertFalse(tokens.isAhead("b.99999999999999999999"));
    applied.set(9);
    assertFalse(tokens.isAhead("b.9"));
  }

  @Test
  void oldTokensAreSweptWhenNewOnesCome() {
    for (int i = 0; i < 200; i++) {
      tokens.issued("old." + i, "ann");
    }
    pass(301);
    for (int i = 0; i < 256; i++) {
      tokens.issued("new." + i, "ann");
    }
    assertEquals(256, tokens.size());
    assertEquals(ANN, of("new.0"));
  }
}
