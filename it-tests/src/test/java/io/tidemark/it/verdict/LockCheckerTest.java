package io.tidemark.it.verdict;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import io.tidemark.api.mvccpb.Event;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.it.load.Hold;
import io.tidemark.judge.EventLog;
import io.tidemark.judge.Violation;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who may hold a lock, by hand-made queues. */
class LockCheckerTest {
  /** 1 comes at 2, 2 comes at 3; 1 leaves at 4, 2 at 5; 1 comes again at 6. */
  private static final EventLog QUEUE =
      new EventLog(
          List.of(
              put("lock/1", 2),
              put("lock/2", 3),
              gone("lock/1", 4),
              gone("lock/2", 5),
              put("lock/1", 6)));

  private static Event put(String key, long revision) {
    return Event.newBuilder()
        .setKv(
            KeyValue.newBuilder()
                .setKey(ByteString.copyFromUtf8(key))
                .setCreateRevision(revision)
                .setModRevision(revision)
                .setVersion(1))
        .build();
  }

  private static Event gone(String key, long revision) {
    return Event.newBuilder()
        .setType(Event.EventType.DELETE)
        .setKv(KeyValue.newBuilder().setKey(ByteString.copyFromUtf8(key)).setModRevision(revision))
        .build();
  }

  private static Hold hold(int who, long from) {
    return new Hold(who, "lock/" + who, from, 0, 0);
  }

  private static void accepts(Hold... holds) {
    assertEquals(List.of(), LockChecker.check(QUEUE, "lock/", List.of(holds)));
  }

  private static void rejects(Hold... holds) {
    assertEquals(
        List.of(Violation.Kind.TWO_HOLDERS),
        LockChecker.check(QUEUE, "lock/", List.of(holds)).stream().map(Violation::kind).toList());
  }

  @Test
  void oneAfterTheOther() {
    accepts(hold(1, 2), hold(2, 4), hold(1, 6));
  }

  @Test
  void recordedInAnyOrder() {
    accepts(hold(2, 4), hold(1, 6), hold(1, 3));
  }

  @Test
  void anotherLocksKeysDoNotMatter() {
    assertEquals(List.of(), LockChecker.check(QUEUE, "lock/1", List.of(hold(1, 2))));
  }

  @Test
  void secondBeforeTheFirstIsGone() {
    rejects(hold(2, 3));
  }

  @Test
  void holderThatIsGone() {
    rejects(hold(1, 4));
  }

  @Test
  void holderThatNeverCame() {
    rejects(hold(3, 4));
  }

  @Test
  void holderBeforeItCame() {
    rejects(hold(2, 2));
  }
}
