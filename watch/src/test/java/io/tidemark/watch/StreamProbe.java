package io.tidemark.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.InvalidProtocolBufferException;
import io.tidemark.api.mvccpb.Event;
import io.tidemark.judge.EventLog;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A client that checks each message it reads: ordered, unique, reliable, atomic, resumable and
 * bookmarkable, as far as one stream can show. Every header is taken as a bookmark.
 */
final class StreamProbe implements WatchMessage.Cases<String> {
  /** One watcher as its client sees it. */
  static final class Seen {
    final WatchSpec spec;
    final long createdRevision;
    final List<Event> events = new ArrayList<>();
    private final List<Event> pieces = new ArrayList<>();
    private long lastProgress;
    long next;
    long compacted;

    Seen(WatchSpec spec, long createdRevision) {
      this.spec = spec;
      this.createdRevision = createdRevision;
      this.next = begin();
    }

    /** The first revision that the watcher covers. */
    long begin() {
      return spec.startRevision() == 0 ? createdRevision + 1 : spec.startRevision();
    }
  }

  /** A create request, and what was readable when it was made. */
  private record Asked(WatchSpec spec, long revision) {}

  private final ModelHistory model;
  private final History member;
  private final WatchStream stream;
  private final Transcript transcript = new Transcript();
  private final Deque<Asked> created = new ArrayDeque<>();
  private final Deque<Long> canceled = new ArrayDeque<>();
  private final Map<Long, Seen> seen = new HashMap<>();
  private long expectedPieceOf = -1;
  private long lastOfAll;
  private long highestProgress;
  int compactCancels;

  StreamProbe(ModelHistory model, WatchableStore store, Runnable onOutbound) {
    this(model, model, store, onOutbound);
  }

  /**
   * A client of a member that may be behind the model, and may have compacted previous values away.
   */
  StreamProbe(ModelHistory model, History member, WatchableStore store, Runnable onOutbound) {
    this.model = model;
    this.member = member;
    this.stream = store.open("test", onOutbound);
  }

  WatchStream stream() {
    return stream;
  }

  void create(WatchSpec spec) {
    created.add(new Asked(spec, member.revision()));
    stream.create(spec);
  }

  void cancel(long id) {
    canceled.add(id);
    stream.cancel(id);
  }

  void progress() {
    stream.requestProgress();
  }

  Seen seen(long id) {
    return present(seen.get(id), "no watcher " + id);
  }

  Map<Long, Seen> all() {
    return seen;
  }

  /** Reads one message and says what it was; null when there is none. */
  @Nullable String read() {
    WatchMessage message = stream.poll();
    return message == null ? null : message.on(this);
  }

  /** Reads all there is. */
  List<String> readAll() {
    List<String> read = new ArrayList<>();
    for (String message = read(); message != null; message = read()) {
      read.add(message);
    }
    return read;
  }

  /** Nothing may be missing once everything is quiet. */
  void checkComplete() {
    assertTrue(created.isEmpty(), () -> "I7: unanswered creates " + created);
    seen.forEach(
        (id, watcher) -> {
          if (watcher.compacted == 0) {
            List<Event> missing = model.events(watcher.spec, watcher.next, Long.MAX_VALUE);
            assertEquals(List.of(), missing, () -> "missing at the end by watcher " + id);
          }
        });
  }

  /** What the judge of real clusters says about this stream. */
  void judge(EventLog log, long until) {
    assertEquals(List.of(), transcript.violations(log, until), "violations");
  }

  @Override
  public String created(WatchMessage.Created message) {
    checkNoPieceOpen(-1);
    Asked asked = nextCreate();
    WatchSpec spec = asked.spec();
    assertTrue(message.revision() >= asked.revision(), "created before what was readable");
    if (spec.watchId() != 0) {
      assertEquals(spec.watchId(), message.watchId());
    }
    assertTrue(message.watchId() != -1, "id -1 was handed out");
    Seen old = seen.put(message.watchId(), new Seen(spec, message.revision()));
    assertTrue(old == null, () -> "id " + message.watchId() + " is taken");
    transcript.created(spec, message);
    return "created " + message.watchId() + " @" + message.revision();
  }

  @Override
  public String refused(WatchMessage.Refused message) {
    checkNoPieceOpen(-1);
    nextCreate();
    return "refused @" + message.revision() + " " + message.reason();
  }

  @Override
  public String canceled(WatchMessage.Canceled message) {
    expectedPieceOf = -1;
    assertTrue(canceled.remove(message.watchId()), "canceled without being asked");
    seen.remove(message.watchId());
    transcript.canceled(message);
    return "canceled " + message.watchId() + " @" + message.revision();
  }

  @Override
  public String compacted(WatchMessage.Compacted message) {
    checkNoPieceOpen(-1);
    Seen watcher = live(message.watchId());
    assertTrue(
        watcher.next < message.compactRevision(),
        () -> "ended at " + watcher.next + " by compaction " + message.compactRevision());
    assertTrue(message.revision() > 0, "header 0");
    assertEquals(member.compactRevision(), message.compactRevision(), "not the present compaction");
    watcher.compacted = message.compactRevision();
    compactCancels++;
    transcript.compacted(message);
    return "compacted " + message.watchId() + " " + message.compactRevision();
  }

  @Override
  public String events(WatchMessage.Events message) {
    long id = message.watchId();
    checkNoPieceOpen(id);
    Seen watcher = live(id);
    for (EncodedEvent event : message.events()) {
      watcher.pieces.add(parse(event));
    }
    if (message.fragment()) {
      assertTrue(watcher.spec.fragment(), "a piece nobody asked for");
      expectedPieceOf = id;
      return "piece " + id + " x" + message.events().size();
    }
    expectedPieceOf = -1;
    List<Event> expected = model.events(watcher.spec, watcher.next, message.revision());
    restorePrevious(expected, watcher.pieces);
    assertEquals(
        expected,
        watcher.pieces,
        () -> "watcher " + id + " from " + watcher.next + " to header " + message.revision());
    assertTrue(!expected.isEmpty(), "an empty list");
    transcript.events(message, watcher.pieces);
    watcher.events.addAll(watcher.pieces);
    watcher.pieces.clear();
    watcher.next = message.revision() + 1;
    return "events " + id + " @" + message.revision() + " x" + expected.size();
  }

  @Override
  public String progress(WatchMessage.Progress message) {
    checkNoPieceOpen(-1);
    long revision = message.revision();
    assertTrue(revision > 0, "progress 0");
    assertTrue(revision >= lastOfAll, "I5: progress behind that of the whole stream");
    highestProgress = Math.max(highestProgress, revision);
    if (message.watchId() == WatchMessage.WHOLE_STREAM) {
      assertEquals(highestProgress, revision, "I5: progress of the whole stream went back");
      lastOfAll = revision;
      seen.values().stream()
          .filter(watcher -> watcher.compacted == 0)
          .forEach(watcher -> checkBookmark(watcher, revision));
    } else {
      checkBookmark(live(message.watchId()), revision);
    }
    transcript.progress(message);
    return "progress " + message.watchId() + " @" + revision;
  }

  /** A real store may have compacted a previous value away, and nothing else. */
  private void restorePrevious(List<Event> expected, List<Event> pieces) {
    if (member == model || expected.size() != pieces.size()) {
      return;
    }
    for (int i = 0; i < pieces.size(); i++) {
      Event want = expected.get(i);
      boolean compacted = want.getKv().getModRevision() <= member.compactRevision();
      if (compacted && want.hasPrevKv() && !pieces.get(i).hasPrevKv()) {
        pieces.set(i, pieces.get(i).toBuilder().setPrevKv(want.getPrevKv()).build());
      }
    }
  }

  private void checkBookmark(Seen watcher, long revision) {
    assertTrue(revision >= watcher.lastProgress, "I5: progress went back");
    watcher.lastProgress = revision;
    assertTrue(revision >= watcher.next - 1, "I5: progress behind what was delivered");
    assertTrue(revision >= watcher.createdRevision, "progress behind created");
    assertTrue(
        revision >= watcher.spec.startRevision(),
        () -> "20221: progress " + revision + " before the start of " + watcher.spec);
    assertEquals(
        List.of(),
        model.events(watcher.spec, watcher.next, revision),
        () -> "15220: progress " + revision + " ahead of events");
    watcher.next = Math.max(watcher.next, revision + 1);
  }

  private void checkNoPieceOpen(long id) {
    if (canceled.contains(expectedPieceOf)) {
      expectedPieceOf = -1; // the rest went with the watcher
    }
    assertTrue(
        expectedPieceOf == -1 || expectedPieceOf == id, "something between pieces of a list");
  }

  private Seen live(long id) {
    Seen watcher = present(seen.get(id), "message of unknown watcher " + id);
    assertEquals(0, watcher.compacted, "I7: message after the end");
    return watcher;
  }

  private Asked nextCreate() {
    return present(created.poll(), "created without being asked");
  }

  private static <T> T present(@Nullable T value, String message) {
    assertNotNull(value, message);
    return value;
  }

  private static Event parse(EncodedEvent event) {
    try {
      return Event.parseFrom(event.bytes());
    } catch (InvalidProtocolBufferException broken) {
      throw new AssertionError(broken);
    }
  }
}
