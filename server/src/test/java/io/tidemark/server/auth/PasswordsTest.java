package io.tidemark.server.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class PasswordsTest {
  private final Passwords passwords = new Passwords("test", 4);

  @AfterEach
  void close() {
    passwords.close();
  }

  @Test
  void knowsItsOwnHashes() {
    for (String password : new String[] {"", "x", "p\u00e4ss\uD83D\uDE00", "y".repeat(72)}) {
      ByteString hash = passwords.hash(password);
      assertEquals("$2a$04$", hash.substring(0, 7).toStringUtf8());
      assertEquals(60, hash.size());
      assertTrue(passwords.matches(password, hash), password);
      assertFalse(passwords.matches(password + "z", hash) && password.length() < 72);
    }
  }

  /** Made by Go's bcrypt, as it comes in a backup of etcd: password "rootpw". */
  @Test
  void knowsHashesOfEtcd() {
    ByteString hash = ByteString.copyFromUtf8(ETCD_HASH);
    assertTrue(passwords.matches("rootpw", hash));
    assertFalse(passwords.matches("rootpx", hash));
  }

  @Test
  void nobodyHasNoPassword() {
    assertFalse(passwords.matches("nobody's password", null));
    assertFalse(passwords.matches("nobody's password", ByteString.EMPTY));
    assertFalse(passwords.matches("", ByteString.EMPTY));
  }

  @Test
  void seventyTwoBytesAreTheLimit() {
    assertTrue(Passwords.isShortEnough("x".repeat(72)));
    assertFalse(Passwords.isShortEnough("x".repeat(73)));
    assertFalse(Passwords.isShortEnough("\u00e4".repeat(37)));
  }

  private static final String ETCD_HASH =
      "$2a$10$45/iBA1YoD2tcMadAz.rj.gcYv0QGCmzYv6J.ZqXdghbak.4I7iWu";
}
