package io.tidemark.api.errors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class EtcdErrorTest {
  @Test
  void holdsEveryRowOfTheContract() {
    assertEquals(63, EtcdError.values().length);
  }

  @Test
  void idsAreUniqueSmallAndLeadBack() {
    assertEquals(
        EtcdError.values().length,
        Arrays.stream(EtcdError.values()).map(EtcdError::id).collect(Collectors.toSet()).size());
    for (EtcdError error : EtcdError.values()) {
      assertTrue(error.id() >= 1 && error.id() <= Byte.MAX_VALUE, error.name());
      assertSame(error, EtcdError.byId(error.id()));
    }
  }

  @Test
  void idsStandInLogsAndNeverMove() {
    assertEquals(1, EtcdError.EMPTY_KEY.id());
    assertEquals(9, EtcdError.COMPACTED.id());
    assertEquals(37, EtcdError.PERMISSION_DENIED.id());
    assertEquals(63, EtcdError.DEADLINE_EXCEEDED.id());
  }

  @Test
  void unknownIdsAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> EtcdError.byId(0));
    assertThrows(IllegalArgumentException.class, () -> EtcdError.byId(-1));
    assertThrows(
        IllegalArgumentException.class, () -> EtcdError.byId(EtcdError.values().length + 1));
  }

  @Test
  void messagesAreUniqueAndPrefixed() {
    assertEquals(
        EtcdError.values().length,
        Arrays.stream(EtcdError.values())
            .map(EtcdError::message)
            .collect(Collectors.toSet())
            .size());
    for (EtcdError error : EtcdError.values()) {
      assertTrue(error.message().startsWith("etcdserver: "), error.name());
    }
  }

  @Test
  void textsAndCodesAreTheContracts() {
    assertSent(EtcdError.EMPTY_KEY, 3, "etcdserver: key is not provided");
    assertSent(EtcdError.COMPACTED, 11, "etcdserver: mvcc: required revision has been compacted");
    assertSent(
        EtcdError.FUTURE_REV, 11, "etcdserver: mvcc: required revision is a future revision");
    assertSent(EtcdError.NO_SPACE, 8, "etcdserver: mvcc: database space exceeded");
    assertSent(EtcdError.LEASE_NOT_FOUND, 5, "etcdserver: requested lease not found");
    assertSent(EtcdError.PEER_URL_EXIST, 9, "etcdserver: Peer URLs already exists");
    assertSent(EtcdError.TOO_MANY_REQUESTS, 2, "etcdserver: too many requests");
    assertSent(
        EtcdError.MEMBER_NOT_ENOUGH_STARTED,
        2,
        "etcdserver: re-configuration failed due to not enough started members");
    assertSent(EtcdError.PERMISSION_DENIED, 7, "etcdserver: permission denied");
    assertSent(EtcdError.INVALID_AUTH_TOKEN, 16, "etcdserver: invalid auth token");
    assertSent(EtcdError.NO_LEADER, 14, "etcdserver: no leader");
    assertSent(EtcdError.NOT_LEADER, 9, "etcdserver: not leader");
    assertSent(EtcdError.TIMEOUT, 14, "etcdserver: request timed out");
    assertSent(EtcdError.CORRUPT, 15, "etcdserver: corrupt cluster");
    assertSent(EtcdError.NOT_SUPPORTED_FOR_LEARNER, 9, "etcdserver: rpc not supported for learner");
  }

  private static void assertSent(EtcdError error, int code, String message) {
    assertEquals(code, error.code());
    assertEquals(message, error.message());
  }
}
