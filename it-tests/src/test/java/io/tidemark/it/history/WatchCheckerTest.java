package io.tidemark.it.history;

import static io.tidemark.it.history.Story.bookmark;
import static io.tidemark.it.history.Story.canceled;
import static io.tidemark.it.history.Story.created;
import static io.tidemark.it.history.Story.delete;
import static io.tidemark.it.history.Story.kv;
import static io.tidemark.it.history.Story.list;
import static io.tidemark.it.history.Story.log;
import static io.tidemark.it.history.Story.put;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import io.tidemark.api.etcdserverpb.WatchCreateRequest;
import io.tidemark.api.etcdserverpb.WatchResponse;
import io.tidemark.api.mvccpb.Event;
import io.tidemark.api.mvccpb.KeyValue;
import io.tidemark.judge.EventLog;
import io.tidemark.judge.Violation;
import io.tidemark.judge.Violation.Kind;
import io.tidemark.judge.WatchChecker;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Good deliveries pass; each bad one is named. */
class WatchCheckerTest {
  private static final KeyValue A2 = kv("a", "1", 2, 2, 1);
  private static final KeyValue B3 = kv("b", "2", 3, 3, 1);
  private static final KeyValue A4 = kv("a", "3", 2, 4, 2);
  private static final Event PUT_A = put(A2);
  private static final Event PUT_B = put(B3);
  private static final Event PUT_A_AGAIN = put(A4, A2);
  private static final Event DELETE_A = delete("a", 5, A4);
  private static final Event DELETE_B = delete("b", 5, B3);
  private static final EventLog LOG = log(PUT_A, PUT_B, PUT_A_AGAIN, DELETE_A, DELETE_B);

  private static WatchCreateRequest.Builder from(String key, String end, long start) {
    return WatchCreateRequest.newBuilder()
        .setKey(ByteString.copyFromUtf8(key))
        .setRangeEnd(ByteString.copyFromUtf8(end))
        .setStartRevision(start)
        .setPrevKv(true);
  }

  private static final WatchCreateRequest ALL = from("\0", "\0", 2).build();

  private static void accepts(WatchCreateRequest request, WatchResponse... responses) {
    assertEquals(List.of(), WatchChecker.check(LOG, request, 0, List.of(responses), 5));
  }

  private static void rejects(Kind kind, WatchCreateRequest request, WatchResponse... responses) {
    assertEquals(
        List.of(kind),
        WatchChecker.check(LOG, request, 0, List.of(responses), 5).stream()
            .map(Violation::kind)
            .distinct()
            .toList());
  }

  @Test
  void acceptsEverythingInOrder() {
    accepts(
        ALL,
        created(1),
        list(4, PUT_A, PUT_B),
        bookmark(0, 3),
        list(4, PUT_A_AGAIN),
        list(5, DELETE_A, DELETE_B),
        bookmark(-1, 5));
  }

  @Test
  void acceptsPartsOfTheKeySpaceAndFilters() {
    accepts(from("b", "", 0).build(), created(2), list(3, PUT_B), list(5, DELETE_B));
    accepts(from("a", "b", 4).build(), created(5), list(5, PUT_A_AGAIN, DELETE_A));
    accepts(
        from("a", "b", 2).addFilters(WatchCreateRequest.FilterType.NOPUT).build(),
        created(1),
        list(5, DELETE_A));
    accepts(
        from("a", "", 4).setPrevKv(false).build(),
        created(1),
        list(4, put(A4)),
        list(5, DELETE_A.toBuilder().clearPrevKv().build()));
  }

  @Test
  void acceptsACancelledWatchThatStopsEarly() {
    accepts(ALL, created(1), canceled(4));
  }

  @Test
  void eventTwice() {
    rejects(
        Kind.DUPLICATE_EVENT,
        ALL,
        created(1),
        list(4, PUT_A, PUT_B, PUT_A_AGAIN),
        list(5, PUT_A, DELETE_A, DELETE_B));
  }

  @Test
  void olderEventAfterNewer() {
    rejects(
        Kind.EVENT_ORDER,
        ALL,
        created(1),
        list(4, PUT_B),
        list(5, PUT_A, PUT_A_AGAIN),
        list(5, DELETE_A, DELETE_B));
  }

  @Test
  void orderWithinARevision() {
    rejects(
        Kind.EVENT_ORDER, ALL, created(1), list(5, PUT_A, PUT_B, PUT_A_AGAIN, DELETE_B, DELETE_A));
  }

  @Test
  void eventMissingInTheMiddle() {
    rejects(Kind.MISSING_EVENT, ALL, created(1), list(5, PUT_A, PUT_A_AGAIN, DELETE_A, DELETE_B));
  }

  @Test
  void eventMissingAtTheEnd() {
    rejects(Kind.MISSING_EVENT, ALL, created(1), list(5, PUT_A, PUT_B, PUT_A_AGAIN));
  }

  @Test
  void halfARevision() {
    rejects(Kind.MISSING_EVENT, ALL, created(1), list(5, PUT_A, PUT_B, PUT_A_AGAIN, DELETE_A));
  }

  @Test
  void eventMissingUnderABookmark() {
    assertEquals(
        List.of(Kind.MISSING_EVENT),
        WatchChecker.check(
                LOG, from("b", "", 2).build(), 0, List.of(created(1), bookmark(-1, 3)), 0)
            .stream()
            .map(Violation::kind)
            .toList());
  }

  @Test
  void eventOfAnotherKey() {
    rejects(
        Kind.UNEXPECTED_EVENT,
        from("b", "", 2).build(),
        created(1),
        list(3, PUT_B),
        list(4, PUT_A_AGAIN),
        list(5, DELETE_B));
  }

  @Test
  void eventThatTheFilterExcludes() {
    rejects(
        Kind.UNEXPECTED_EVENT,
        from("b", "", 2).addFilters(WatchCreateRequest.FilterType.NODELETE).build(),
        created(1),
        list(3, PUT_B),
        list(5, DELETE_B));
  }

  @Test
  void twoListsShareARevision() {
    rejects(
        Kind.SPLIT_REVISION,
        ALL,
        created(1),
        list(5, PUT_A, PUT_B, PUT_A_AGAIN, DELETE_A),
        list(5, DELETE_B));
  }

  @Test
  void headerBelowItsEvents() {
    rejects(
        Kind.HEADER_BELOW_EVENT,
        ALL,
        created(1),
        list(3, PUT_A, PUT_B, PUT_A_AGAIN),
        list(5, DELETE_A, DELETE_B));
  }

  @Test
  void eventAfterABookmarkThatCoversIt() {
    rejects(
        Kind.AFTER_BOOKMARK,
        ALL,
        created(1),
        list(4, PUT_A, PUT_B, PUT_A_AGAIN),
        bookmark(-1, 5),
        list(5, DELETE_A, DELETE_B));
  }

  @Test
  void bookmarkGoesBackwards() {
    rejects(
        Kind.BOOKMARK_BACKWARDS,
        ALL,
        created(1),
        list(5, PUT_A, PUT_B, PUT_A_AGAIN, DELETE_A, DELETE_B),
        bookmark(-1, 5),
        bookmark(-1, 4));
  }

  @Test
  void bookmarkBelowAFutureStart() {
    rejects(Kind.BEFORE_START, from("a", "", 9).build(), created(1), bookmark(0, 5));
  }

  @Test
  void eventBeforeTheStart() {
    assertEquals(
        List.of(Kind.BEFORE_START, Kind.UNEXPECTED_EVENT),
        WatchChecker.check(
                LOG,
                from("b", "", 4).build(),
                0,
                List.of(created(1), list(3, PUT_B), list(5, DELETE_B)),
                5)
            .stream()
            .map(Violation::kind)
            .toList());
  }

  @Test
  void eventAfterCancel() {
    rejects(Kind.AFTER_CANCEL, ALL, created(1), canceled(4), list(2, PUT_A));
  }

  @Test
  void neverCreated() {
    rejects(Kind.BEFORE_CREATED, ALL);
  }

  @Test
  void wrongPreviousPair() {
    assertEquals(
        List.of(Kind.UNEXPECTED_EVENT, Kind.MISSING_EVENT),
        WatchChecker.check(
                LOG,
                from("a", "", 4).build(),
                0,
                List.of(created(3), list(4, put(A4, B3)), list(5, DELETE_A)),
                5)
            .stream()
            .map(Violation::kind)
            .toList());
  }
}
