package io.tidemark.it.verdict;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.ResponseHeader;
import io.tidemark.api.etcdserverpb.WatchCreateRequest;
import io.tidemark.api.etcdserverpb.WatchResponse;
import io.tidemark.api.mvccpb.Event;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.it.history.Action;
import io.tidemark.it.history.Operation;
import io.tidemark.it.history.Outcome;
import io.tidemark.it.load.Hold;
import io.tidemark.it.load.LeaderWatch;
import io.tidemark.it.load.LeaseLife;
import io.tidemark.it.nemesis.FaultKind;
import io.tidemark.it.nemesis.FaultRecord;
import io.tidemark.it.nemesis.Step;
import io.tidemark.it.tape.Tape;
import io.tidemark.judge.Violation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A small run by hand, one that is good and several that aren't. Times are milliseconds. */
final class SmallRecording {
  private static final KeyValue FIRST = kv("key1", "a", 2, 2, 1);
  private static final KeyValue SECOND = kv("key1", "b", 2, 3, 2);
  private static final KeyValue LOCK = kv("lock/contended/1", "", 4, 4, 1);
  private static final KeyValue LIFE = kv("life/1", "", 6, 6, 1);
  private static final KeyValue LAST = kv("key2", "c", 8, 8, 1);
  private static final List<Event> EVENTS =
      List.of(
          put(FIRST),
          Event.newBuilder().setKv(SECOND).setPrevKv(FIRST).build(),
          put(LOCK),
          gone("lock/contended/1", 5, LOCK),
          put(LIFE),
          gone("life/1", 7, LIFE),
          put(LAST));
  private static final List<Operation> OPERATIONS =
      List.of(
          op(1, 10, new Action.Put("key1", "a"), done(2, true, null)),
          op(11, 20, new Action.Swap("key1", 2, "b"), done(3, true, null)),
          op(21, 30, new Action.Read("key1", false), done(3, false, SECOND)),
          op(31, 40, new Action.Delete("key3"), new Outcome.Unknown("DEADLINE_EXCEEDED null")),
          op(10_000, 10_010, new Action.Put("key2", "c"), done(8, true, null)));

  static final Recording GOOD = recording(OPERATIONS, EVENTS, EVENTS, states("1", "1"));

  /**
   * A member tells of revision 3 after it was compacted there, and has no previous pair any more.
   */
  static final Recording COMPACTED =
      recording(OPERATIONS, EVENTS, replaced(EVENTS, 1, put(SECOND)), states("1", "1"));

  /** Here it is the one that is asked first. */
  static final Recording COMPACTED_FIRST =
      recording(OPERATIONS, replaced(EVENTS, 1, put(SECOND)), EVENTS, states("1", "1"));

  /** One that breaks a promise. */
  record Bad(String name, Violation.Kind kind, Recording recording) {}

  static final List<Bad> BAD =
      List.of(
          new Bad(
              "a read that shows the past",
              Violation.Kind.WRONG_READ,
              recording(
                  with(2, op(21, 30, new Action.Read("key1", false), done(3, false, FIRST))),
                  EVENTS,
                  EVENTS,
                  states("1", "1"))),
          new Bad(
              "an acknowledged write that is lost",
              Violation.Kind.LOST_WRITE,
              recording(
                  with(3, op(31, 40, new Action.Put("key3", "x"), done(4, true, null))),
                  EVENTS,
                  EVENTS,
                  states("1", "1"))),
          new Bad(
              "members that tell different things",
              Violation.Kind.MEMBERS_DIFFER,
              recording(
                  OPERATIONS,
                  EVENTS,
                  replaced(EVENTS, 6, put(kv("key2", "d", 8, 8, 1))),
                  states("1", "1"))),
          new Bad(
              "members whose stores differ",
              Violation.Kind.MEMBERS_DIFFER,
              recording(OPERATIONS, EVENTS, EVENTS, states("1", "2"))),
          new Bad(
              "a previous pair that is missing without a compaction",
              Violation.Kind.MEMBERS_DIFFER,
              recording(
                  OPERATIONS,
                  EVENTS,
                  replaced(EVENTS, 3, EVENTS.get(3).toBuilder().clearPrevKv().build()),
                  states("1", "1"))),
          new Bad(
              "a revision that nobody told of",
              Violation.Kind.REVISION_GAP,
              recording(OPERATIONS, without(EVENTS, 3), without(EVENTS, 3), states("1", "1"))));

  private SmallRecording() {}

  private static Recording recording(
      List<Operation> operations, List<Event> first, List<Event> second, List<MemberState> states) {
    Step step = new Step(1, FaultKind.KILL, Step.Role.LEADER, Duration.ofSeconds(2), 99);
    return new Recording(
        7,
        2,
        0,
        nanos(20_000),
        operations,
        List.of(
            tape(0, Tape.Purpose.ACCOUNT, first),
            tape(1, Tape.Purpose.ACCOUNT, second),
            tape(1, Tape.Purpose.CLIENT, first)),
        List.of(new Hold(1, "lock/contended/1", 4, nanos(50), nanos(60))),
        List.of(new LeaseLife("life/1", 3, nanos(100), nanos(200))),
        List.of(3L),
        List.of(new LeaderWatch.Said(nanos(1), 0, 11, 11, 2)),
        List.of(
            new FaultRecord(
                step, "m1", nanos(4_000), nanos(6_000), nanos(7_000), 900, "gone: process [1]")),
        states);
  }

  private static List<MemberState> states(String one, String other) {
    List<KeyValue> pairs = List.of(SECOND, LAST);
    return List.of(new MemberState(0, 8, 3, one, pairs), new MemberState(1, 8, 3, other, pairs));
  }

  /** Events arrive one by one; that of the lease's end late enough. */
  private static Tape tape(int member, Tape.Purpose purpose, List<Event> events) {
    List<Tape.Arrival> arrivals = new ArrayList<>();
    arrivals.add(new Tape.Arrival(nanos(0), response(0).setWatchId(1).setCreated(true).build()));
    for (Event event : events) {
      long revision = event.getKv().getModRevision();
      long at = revision < 7 ? revision * 10 : revision * 1_000;
      arrivals.add(
          new Tape.Arrival(nanos(at), response(revision).setWatchId(1).addEvents(event).build()));
    }
    return new Tape(
        member,
        purpose,
        List.of(
            WatchCreateRequest.newBuilder()
                .setKey(ByteString.copyFrom(new byte[] {0}))
                .setRangeEnd(ByteString.copyFrom(new byte[] {0}))
                .setStartRevision(1)
                .setPrevKv(true)
                .setWatchId(1)
                .build()),
        arrivals,
        "");
  }

  private static WatchResponse.Builder response(long revision) {
    return WatchResponse.newBuilder().setHeader(ResponseHeader.newBuilder().setRevision(revision));
  }

  private static List<Operation> with(int index, Operation other) {
    return replaced(OPERATIONS, index, other);
  }

  private static <T> List<T> replaced(List<T> list, int index, T other) {
    List<T> changed = new ArrayList<>(list);
    changed.set(index, other);
    return changed;
  }

  private static <T> List<T> without(List<T> list, int index) {
    List<T> changed = new ArrayList<>(list);
    changed.remove(index);
    return changed;
  }

  private static Operation op(long began, long ended, Action action, Outcome outcome) {
    return new Operation("c1", action, nanos(began), nanos(ended), outcome);
  }

  private static Outcome done(
      long revision, boolean changed, @org.jspecify.annotations.Nullable KeyValue found) {
    return new Outcome.Done(revision, changed, Optional.ofNullable(found));
  }

  private static long nanos(long millis) {
    return millis * 1_000_000;
  }

  private static KeyValue kv(String key, String value, long create, long mod, long version) {
    return KeyValue.newBuilder()
        .setKey(ByteString.copyFromUtf8(key))
        .setValue(ByteString.copyFromUtf8(value))
        .setCreateRevision(create)
        .setModRevision(mod)
        .setVersion(version)
        .build();
  }

  private static Event put(KeyValue kv) {
    return Event.newBuilder().setKv(kv).build();
  }

  private static Event gone(String key, long mod, KeyValue previous) {
    return Event.newBuilder()
        .setType(Event.EventType.DELETE)
        .setKv(KeyValue.newBuilder().setKey(ByteString.copyFromUtf8(key)).setModRevision(mod))
        .setPrevKv(previous)
        .build();
  }
}
