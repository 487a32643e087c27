package io.tidemark.raftcore.lease;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.api.errors.EtcdError;
import io.tidemark.api.etcdserverpb.AlarmRequest.AlarmAction;
import io.tidemark.api.etcdserverpb.AlarmType;
import io.tidemark.raftcore.peer.SendResult;
import io.tidemark.statemachine.Command;
import io.tidemark.statemachine.Outcome;
import io.tidemark.statemachine.lease.LeaseExpiry;
import io.tidemark.statemachine.lease.LeaseRenewals;
import io.tidemark.statemachine.lease.LeaseRenewals.Renewal;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeaseKeeperTest {
  @TempDir Path directory;

  private @Nullable KeeperRig opened;

  @BeforeEach
  void open() {
    opened = new KeeperRig(directory);
  }

  @AfterEach
  void close() {
    rig().close();
  }

  private KeeperRig rig() {
    return Objects.requireNonNull(opened);
  }

  @Test
  void aLeaseExpiresAtItsTtlAndNotBefore() {
    rig().lead(1);
    rig().grant(5, 2);
    rig().live(1900);
    assertTrue(rig().lives(5));
    rig().live(400);
    assertFalse(rig().lives(5));
  }

  @Test
  void aRenewalIsAnsweredWhenItIsAppliedAndCountsFromItsArrival() throws Exception {
    rig().lead(1);
    rig().grant(5, 2);
    rig().live(1500);
    CompletableFuture<long[]> answer = rig().keeper.renew(new long[] {5, 6});
    rig().run();
    assertFalse(answer.isDone(), "nothing is committed yet");
    rig().settle();
    assertArrayEquals(new long[] {2, 0}, answer.get());
    rig().live(1900);
    assertTrue(rig().lives(5));
    rig().live(400);
    assertFalse(rig().lives(5));
  }

  @Test
  void whatComesWhileAnEntryIsOnItsWayGoesTogetherIntoTheNext() {
    rig().lead(1);
    rig().grant(5, 60);
    rig().live(1000);
    rig().keeper.renew(new long[] {5});
    rig().run();
    CompletableFuture<long[]> second = rig().keeper.renew(new long[] {5});
    CompletableFuture<long[]> third = rig().keeper.renew(new long[] {5});
    rig().run();
    assertEquals(1, rig().sent.size());
    rig().land(rig().sent.remove());
    assertEquals(0, rig().sent.size(), "not before 20 ms have passed");
    rig().stall(20);
    LeaseRenewals renewals =
        assertInstanceOf(Command.RenewLeases.class, rig().sent.element().commands().get(0))
            .renewals();
    assertEquals(2, renewals.renewals().size());
    rig().settle();
    assertTrue(second.isDone() && third.isDone());
  }

  @Test
  void theClockIsToldEverySecondWhileThereAreLeases() {
    rig().lead(1);
    rig().live(5000);
    assertEquals(0, rig().machine.leases().clock(), "no lease, no entry");
    rig().grant(5, 60);
    long from = rig().clock.now();
    for (int second = 0; second < 5; second++) {
      rig().live(1000);
      long lag = rig().clock.now() - rig().machine.leases().clock();
      assertTrue(lag >= 0 && lag <= 1000, "the log is " + lag + " ms behind");
    }
    assertEquals(5000, rig().clock.now() - from);
  }

  @Test
  void aNewLeaderKnowsWhatIsLeft() {
    rig().lead(1);
    rig().grant(5, 10);
    rig().live(6000);
    rig().lead(-1);
    rig().stall(30_000);
    rig().lead(3);
    rig().live(3900);
    assertTrue(rig().lives(5), "what nobody led isn't counted");
    rig().live(1400);
    assertFalse(rig().lives(5), "4 s were left, and the log was at most 1 s behind");
  }

  @Test
  void aGrantThatNoLeaderHasLoggedHasAllItsTime() {
    rig().lead(1);
    rig().grant(1, 60);
    rig().live(400_000 / 100);
    rig().lead(-1);
    rig().grant(5, 2);
    // Another leader tells a clock far ahead, without having seen the grant.
    rig().apply(new Command.RenewLeases(new LeaseRenewals(0, 900_000, List.of())));
    rig().lead(3);
    rig().live(1900);
    assertTrue(rig().lives(5));
    rig().live(500);
    assertFalse(rig().lives(5));
  }

  @Test
  void theClockNeverGoesBehindTheLog() {
    rig().apply(new Command.RenewLeases(new LeaseRenewals(0, 700_000, List.of())));
    rig().lead(1);
    assertTrue(rig().clock.now() >= 700_000);
  }

  /** known-bugs: revokes from a stalled leader accepted. */
  @Test
  void anExpiryOfAStalledLeaderDoesNothingToARenewedLease() {
    rig().lead(1);
    rig().grant(5, 2);
    rig().live(200);
    rig().pass(2500);
    KeeperRig.Sent held = rig().sent.remove();
    assertEquals(1, rig().machine.leases().size());
    // While it waits the lease is renewed by another leader, whose entries come first.
    rig().lead(-1);
    long now = rig().clock.now();
    rig()
        .apply(
            new Command.RenewLeases(new LeaseRenewals(0, now, List.of(new Renewal(5, now - 100)))));
    rig().lead(4);
    List<Outcome> outcomes = rig().apply(held.entry());
    for (Outcome outcome : outcomes) {
      assertEquals(new Outcome.Rejected(EtcdError.LEADER_CHANGED), outcome);
    }
    assertTrue(rig().lives(5));
  }

  /** known-bugs: keepalive racing revoke. */
  @Test
  void aRenewalThatIsInTheLogFirstWins() throws Exception {
    rig().lead(1);
    rig().grant(5, 2);
    rig().live(1900);
    assertTrue(rig().lives(5));
    long renewedAt = Objects.requireNonNull(rig().machine.leases().find(5)).renewedAt();
    CompletableFuture<long[]> answer = rig().keeper.renew(new long[] {5});
    rig().run();
    rig().settle();
    assertArrayEquals(new long[] {2}, answer.get());
    assertEquals(
        List.of(new Outcome.Rejected(EtcdError.LEASE_NOT_FOUND)),
        rig()
            .apply(
                new Command.ExpireLease(
                    new LeaseExpiry(1, rig().clock.now() + 500, 5, renewedAt))));
    assertTrue(rig().lives(5));
  }

  /** And the other way round: who is too late hears so. */
  @Test
  void aRenewalAfterTheExpiryIsAnsweredWithZero() throws Exception {
    rig().lead(1);
    rig().grant(5, 2);
    rig().live(2500);
    assertFalse(rig().lives(5));
    CompletableFuture<long[]> answer = rig().keeper.renew(new long[] {5});
    rig().live(100);
    assertArrayEquals(new long[] {0}, answer.get());
  }

  @Test
  void whoSleptLetsRenewalsInFirst() throws Exception {
    rig().lead(1);
    rig().grant(5, 2);
    rig().live(1000);
    rig().stall(3000);
    rig().settle();
    assertTrue(rig().lives(5), "it may have slept through the renewal");
    CompletableFuture<long[]> answer = rig().keeper.renew(new long[] {5});
    rig().live(100);
    assertArrayEquals(new long[] {2}, answer.get());
    rig().live(1800);
    assertTrue(rig().lives(5));
    rig().live(500);
    assertFalse(rig().lives(5));
  }

  @Test
  void sleepingForeverIsNoWayToLive() {
    rig().lead(1);
    rig().grant(5, 2);
    rig().live(1000);
    rig().stall(3000);
    rig().live(700);
    assertFalse(rig().lives(5));
  }

  /** Ten thousand a second, and time in between for what else there is. */
  @Test
  void thousandsExpireInEntriesOfLimitedSizeAtAnEvenPace() {
    rig().lead(1);
    for (int id = 1; id <= 2000; id++) {
      rig().grant(id, 2);
    }
    rig().live(1900);
    assertEquals(2000, rig().machine.leases().size());
    rig().stall(200);
    int entries = 0;
    while (rig().machine.leases().size() > 0) {
      KeeperRig.Sent entry = rig().sent.remove();
      assertTrue(entry.expiries().size() <= 128);
      entries++;
      rig().land(entry);
      assertEquals(0, rig().sent.size(), "12 ms have to pass");
      rig().passLittle(12);
    }
    assertEquals(16, entries);
  }

  @Test
  void anExpiryThatGotLostIsTriedAgain() {
    rig().lead(1);
    rig().grant(5, 2);
    rig().live(1900);
    rig().stall(300);
    rig().sent.remove().answer().complete(SendResult.REFUSED);
    rig().run();
    rig().live(1500);
    assertFalse(rig().lives(5));
  }

  @Test
  void aGrantIsLoggedEvenIfTheFirstEntryGotLost() {
    rig().lead(1);
    rig().grant(5, 2);
    rig().stall(100);
    rig().sent.remove().answer().complete(SendResult.UNKNOWN);
    rig().run();
    rig().live(1500);
    assertTrue(Objects.requireNonNull(rig().machine.leases().find(5)).isLogged());
    rig().live(2000);
    assertFalse(rig().lives(5));
  }

  @Test
  void manyKeysAreSpreadOverEntries() {
    rig().lead(1);
    for (int id = 1; id <= 4; id++) {
      rig().grant(id, 2);
      rig().put(id + "/", 1100, id);
    }
    rig().live(1900);
    assertEquals(4, rig().machine.leases().size());
    rig().stall(400);
    rig().land(rig().sent.remove());
    assertEquals(2, rig().machine.leases().size(), "2200 keys are enough for one entry");
    rig().live(LeaseKeeper.TICK_MILLIS);
    assertEquals(0, rig().machine.leases().size());
  }

  /** Applying refuses to end leases then, so that proposing it would go on for ever. */
  @Test
  void underACorruptAlarmNoExpiryIsProposedAndAfterItAllAre() {
    rig().lead(1);
    rig().grant(5, 2);
    rig().grant(6, 2);
    rig().alarm(AlarmType.CORRUPT, AlarmAction.ACTIVATE);
    for (int tick = 0; tick < 50; tick++) {
      rig().stall(LeaseKeeper.TICK_MILLIS);
      for (KeeperRig.Sent sent : rig().sent) {
        assertEquals(List.of(), sent.expiries());
      }
      rig().settle();
    }
    assertTrue(rig().lives(5) && rig().lives(6));
    rig().alarm(AlarmType.CORRUPT, AlarmAction.DEACTIVATE);
    rig().live(LeaseKeeper.TICK_MILLIS);
    assertFalse(rig().lives(5) || rig().lives(6));
  }

  /** What was on its way when the alarm was raised is refused, and comes again after it. */
  @Test
  void anExpiryThatMetTheAlarmIsTriedAgainAfterIt() {
    rig().lead(1);
    rig().grant(5, 2);
    rig().live(1900);
    rig().stall(300);
    KeeperRig.Sent onItsWay = rig().sent.remove();
    assertEquals(1, onItsWay.expiries().size());
    rig().alarm(AlarmType.CORRUPT, AlarmAction.ACTIVATE);
    assertEquals(new Outcome.Rejected(EtcdError.CORRUPT), rig().land(onItsWay).get(1));
    rig().live(3000);
    rig().alarm(AlarmType.CORRUPT, AlarmAction.DEACTIVATE);
    rig().live(1000);
    assertFalse(rig().lives(5));
  }

  /** Ending leases makes room, so a full store must not keep them. */
  @Test
  void anAlarmForSpaceHoldsNoExpiryBack() {
    rig().lead(1);
    rig().grant(5, 2);
    rig().alarm(AlarmType.NOSPACE, AlarmAction.ACTIVATE);
    rig().live(2300);
    assertFalse(rig().lives(5));
  }

  /**
   * The first logging of a grant is no renewal, and neither is a question for a lease that is gone.
   */
  @Test
  void everyRenewalOfALivingLeaseIsCountedOnce() {
    rig().lead(1);
    rig().grant(5, 2);
    rig().live(1000);
    rig().keeper.renew(new long[] {5, 6});
    rig().keeper.renew(new long[] {5});
    rig().live(5000);
    assertEquals(1, rig().counters.granted());
    assertEquals(2, rig().counters.renewed());
    assertEquals(1, rig().counters.expired());
    assertEquals(1, rig().counters.revoked());
  }

  @Test
  void aRenewalIsNeverLaterThanTheClock() {
    rig().lead(1);
    rig().grant(5, 60);
    rig().live(5000);
    rig().lead(-1);
    rig().stall(700);
    rig().keeper.renew(new long[] {5});
    rig().lead(3);
    rig().settle();
    assertTrue(
        Objects.requireNonNull(rig().machine.leases().find(5)).renewedAt()
            <= rig().machine.leases().clock());
  }

  @Test
  void renewalsOfALostLeadershipFail() {
    CompletableFuture<long[]> never = rig().keeper.renew(new long[] {5});
    rig().run();
    assertThrows(ExecutionException.class, never::get);
    rig().lead(1);
    rig().grant(5, 60);
    rig().live(100);
    CompletableFuture<long[]> onItsWay = rig().keeper.renew(new long[] {5});
    rig().run();
    rig().stall(20);
    rig().lead(-1);
    assertThrows(ExecutionException.class, onItsWay::get);
  }
}
